#pragma once

// The features of every game; a new game adds its header here.

#include "nn/backgammon_features.h"
#include "nn/birth_features.h"
#include "nn/bradspel_features.h"
#include "nn/duel_features.h"
#include "nn/race_features.h"
