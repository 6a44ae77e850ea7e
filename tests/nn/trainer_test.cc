#include "nn/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/nn/temporary_folder.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Network SmallNetwork() {
  return RandomNetwork({.features = "t", .inputs = 3, .width = 2, .max_pool = false, .hidden = {}},
                       1);
}

TEST(MakeTrainer, SaysHowToGetAMissingLibrary) {
  const auto trainer = MakeTrainerFrom("/nowhere/libberd_train.so", SmallNetwork(), {});
  ASSERT_FALSE(trainer);
  EXPECT_THAT(trainer.error().message,
              AllOf(HasSubstr("the trainer is missing: cannot load /nowhere/libberd_train.so"),
                    HasSubstr("BERD_TRAINER=ON"), HasSubstr("libtorch-dev")));
}

TEST(MakeTrainer, RefusesAFileThatIsNoLibrary) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFile(folder.Path("libberd_train.so"), "text"));
  EXPECT_FALSE(MakeTrainerFrom(folder.Path("libberd_train.so"), SmallNetwork(), {}));
}

TEST(MakeTrainer, RefusesAnotherLibrary) {
  const auto trainer = MakeTrainerFrom("libc.so.6", SmallNetwork(), {});
  ASSERT_FALSE(trainer);
  EXPECT_THAT(trainer.error().message, HasSubstr("not a trainer of Berd"));
}

TEST(TrainingBatch, ClearKeepsTheSeatsAndEmptiesTheRest) {
  TrainingBatch batch{.examples = 1,
                      .seats = 2,
                      .feature = {0},
                      .weight = {1},
                      .row_begin = {0, 1, 1},
                      .side = {0, 1},
                      .win = {1, 0},
                      .margin = {0, 0},
                      .example_weight = {1}};
  batch.clear();
  EXPECT_EQ(batch.examples, 0);
  EXPECT_EQ(batch.seats, 2);
  EXPECT_THAT(batch.side, ::testing::ElementsAre(0, 1));
  EXPECT_THAT(batch.row_begin, ::testing::ElementsAre(0));
  EXPECT_TRUE(batch.feature.empty() && batch.win.empty() && batch.example_weight.empty());
}

}  // namespace
}  // namespace berd
