#pragma once

// The features of every game; a new game adds its header here.

#include "nn/duel_features.h"
#include "nn/race_features.h"
