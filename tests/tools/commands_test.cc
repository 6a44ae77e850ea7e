#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/tools/run_command.h"
#include "tools/option_parser.h"
#include "tools/rules_argument.h"

namespace berd {
namespace {

using ::testing::HasSubstr;

TEST(Commands, HelpListsEveryCommand) {
  const auto run = RunCommand({"--help"});
  EXPECT_EQ(run.exit_code, 0);
  for (const auto& command : Commands()) {
    EXPECT_THAT(run.out, HasSubstr("  " + std::string(command.name) + " "));
  }
}

TEST(Commands, EveryCommandHasHelpWithAnExample) {
  for (const auto& command : Commands()) {
    const std::string name(command.name);
    const auto run = RunCommand({"help", name});
    EXPECT_EQ(run.exit_code, 0) << name;
    EXPECT_THAT(run.out, HasSubstr("Example:\n  berd " + name)) << name;
    EXPECT_EQ(RunCommand({name, "--help"}).out, run.out);
  }
}

TEST(Commands, PrintsItsVersion) {
  EXPECT_THAT(RunCommand({"--version"}).out, HasSubstr("berd 0"));
}

TEST(Commands, SuggestsTheNearestCommand) {
  const auto run = RunCommand({"pley"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("unknown command 'pley'; did you mean 'play'?"));
  EXPECT_EQ(RunCommand({}).exit_code, 2);
  EXPECT_EQ(RunCommand({"help", "pley"}).exit_code, 2);
  EXPECT_THAT(RunCommand({"--halp"}).err, HasSubstr("unknown option '--halp'"));
}

struct Values {
  bool flag = false;
  std::string text = "x";
  std::string word = "one";
  std::vector<std::string> list;
  std::vector<std::string> arguments;
  int integer = 3;
  double real = 0.5;
};

CommandRun ParseValues(std::vector<std::string> args, Values& values) {
  OptionParser parser({.name = "test",
                       .summary = "Tests.",
                       .arguments = "FILE",
                       .example = "berd test\nberd test a"});
  parser.Flag("flag", "a flag", &values.flag);
  parser.Text("text", "TEXT", "a text", &values.text);
  parser.Choice("word", "a word", {"one", "two"}, &values.word);
  parser.List("list", "ITEM", "a list", &values.list);
  parser.Integer("integer", "N", "a number", &values.integer, -1, 10);
  parser.Real("real", "X", "a number", &values.real, 0, 1);
  parser.Arguments(&values.arguments, 0, 1);
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{.in = in, .out = out, .err = err};
  args.insert(args.begin(), "test");
  const auto exit_code = parser.Parse(args, console);
  return {exit_code.value_or(-1), out.str(), err.str()};
}

TEST(OptionParser, FillsTypedValues) {
  Values values;
  EXPECT_EQ(ParseValues({"--flag", "--text=a,b", "--word", "two", "--list", "p,q", "--list=r",
                         "--integer", "-1", "--real", "0.25", "file"},
                        values)
                .exit_code,
            -1);
  EXPECT_TRUE(values.flag);
  EXPECT_EQ(values.text, "a,b");
  EXPECT_EQ(values.word, "two");
  EXPECT_THAT(values.list, testing::ElementsAre("p,q", "r"));
  EXPECT_EQ(values.integer, -1);
  EXPECT_EQ(values.real, 0.25);
  EXPECT_THAT(values.arguments, testing::ElementsAre("file"));
}

TEST(OptionParser, KeepsDefaults) {
  Values values;
  EXPECT_EQ(ParseValues({}, values).exit_code, -1);
  EXPECT_EQ(values.integer, 3);
  EXPECT_EQ(values.text, "x");
}

TEST(OptionParser, SaysWhatIsWrong) {
  const auto error = [](std::vector<std::string> args) {
    Values values;
    const auto run = ParseValues(std::move(args), values);
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_THAT(error({"--intger=3"}),
              HasSubstr("unknown option '--intger'; did you mean '--integer'?"));
  EXPECT_THAT(error({"-x"}), HasSubstr("unknown option '-x'"));
  EXPECT_THAT(error({"--integer", "11"}),
              HasSubstr("--integer must be a whole number from -1 to 10, not '11'"));
  EXPECT_THAT(error({"--integer", "4x"}), HasSubstr("not '4x'"));
  EXPECT_THAT(error({"--integer", ""}), HasSubstr("not ''"));
  EXPECT_THAT(error({"--integer"}), HasSubstr("'--integer' needs a value"));
  EXPECT_THAT(error({"--real", "nan"}), HasSubstr("--real must be a number from 0 to 1"));
  EXPECT_THAT(error({"--word", "three"}), HasSubstr("--word must be one or two, not 'three'"));
  EXPECT_THAT(error({"a", "b"}), HasSubstr("unexpected argument 'b'"));
  EXPECT_THAT(error({"--flag=maybe"}), HasSubstr("maybe"));
}

TEST(OptionParser, HelpShowsDefaultsAndExamples) {
  Values values;
  const auto run = ParseValues({"--help"}, values);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("(default 3)"));
  EXPECT_THAT(run.out, HasSubstr("berd test [options] FILE"));
  EXPECT_THAT(run.out, HasSubstr("Example:\n  berd test\n  berd test a\n"));
}

TEST(RulesArgument, TakesPresetsAndRulesStrings) {
  for (const auto& preset : Presets()) {
    const auto game = ResolveRules(preset.name);
    ASSERT_TRUE(game) << preset.name;
    EXPECT_EQ(CanonicalRules(*game), preset.rules);
  }
  EXPECT_EQ(CanonicalRules(*ResolveRules("race:n=7:2x4")), "race:short:2x4");
  EXPECT_THAT(ResolveRules("shrot").error().message, HasSubstr("did you mean 'short'?"));
  EXPECT_THAT(ResolveRules("zzzzzzzzz").error().message, HasSubstr("`berd info` lists them"));
  EXPECT_FALSE(ResolveRules("race:short:4x99"));
}

TEST(InfoCommand, ListsAllPresets) {
  const auto run = RunCommand({"info"});
  EXPECT_EQ(run.exit_code, 0);
  for (const auto& preset : Presets()) EXPECT_THAT(run.out, HasSubstr(std::string(preset.rules)));
  EXPECT_THAT(RunCommand({"info", "--json"}).out, HasSubstr(R"("name":"duel-hidden")"));
}

TEST(InfoCommand, DescribesRules) {
  const auto run = RunCommand({"info", "race:n=7:4x3:team=2"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("race:short:4x3:team=2"));
  EXPECT_THAT(run.out, HasSubstr("2: AC, BD"));
  EXPECT_THAT(run.out, HasSubstr("squares        32"));
  EXPECT_THAT(run.out, HasSubstr("board=0:A3,8:B3,16:C3,24:D3"));
  EXPECT_THAT(RunCommand({"info", "--json", "duel-hidden"}).out, HasSubstr(R"("hidden":true)"));
  const auto wrong = RunCommand({"info", "race:short:4x9:points+hidden"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("points"));
}

}  // namespace
}  // namespace berd
