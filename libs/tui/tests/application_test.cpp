// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/tui/tui.hpp>

#include "example.hpp"
#include "view/application.hpp"

namespace ridge::tui {
namespace {

using testing::HasSubstr;
using testing::Not;

// Compares with tests/golden/NAME.approved; writes NAME.received beside it where they differ.
void expect_golden(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs/tui/tests/golden";
  const auto received = folder / (name + ".received");
  if (const auto approved = read_file(folder / (name + ".approved")); approved && *approved == text) {
    std::filesystem::remove(received);
    return;
  }
  std::ofstream(received, std::ios::binary) << text;
  ADD_FAILURE() << name << " differs from what was approved; tools/approve accepts it:\n" << text;
}

// A person in front of the example.
class person {
 public:
  explicit person(const std::string& screen = "results", settings given = {})
      : shown_(store_.lent(), screen, std::move(given)) {
    shown_.tick();
  }
  // Presses the characters of a text.
  person& type(std::string_view letters) {
    for (const char letter : letters) press({key_code::character, std::string(1, letter)});
    return *this;
  }
  person& press(const key& pressed) {
    shown_.press(pressed);
    shown_.tick();
    return *this;
  }
  [[nodiscard]] std::string see(std::size_t columns = 80, std::size_t rows = 24) {
    return shown_.picture(columns, rows).text();
  }
  [[nodiscard]] application& screens() { return shown_; }
  [[nodiscard]] tests::example& example() { return store_; }

 private:
  tests::example store_{};
  application shown_;
};

const key enter{key_code::enter}, escape{key_code::escape}, tab{key_code::tab};

TEST(screens, look_as_approved) {
  for (const auto* const name : {"results", "compare", "series", "roofline"}) {
    person looks(name);
    expect_golden(std::string(name) + "_80x24.txt", looks.see());
    expect_golden(std::string(name) + "_140x40.txt", looks.see(140, 40));
  }
}

TEST(screens, print_as_approved) {
  const tests::example stored;
  for (const auto* const name : {"results", "series"}) {
    const auto text = screen_text(stored.lent(), {.screen = name}, {.columns = 100});
    ASSERT_TRUE(text) << text.why().text();
    expect_golden(std::string(name) + "_once.txt", *text);
    EXPECT_THAT(*text, Not(HasSubstr("\x1b")));
  }
}

TEST(screens, give_json_of_every_screen_with_a_store_and_without) {
  const tests::example stored;
  for (const auto& name : screen_names()) {
    settings given;
    if (name == "whatif") given["latency"] = "1 s";  // it answers only with a limit
    const auto json = screen_json(stored.lent(), {.screen = name, .settings = given});
    ASSERT_TRUE(json) << name << json.why().text();
    EXPECT_THAT(*json, HasSubstr("\"schema\":")) << name;
    const auto bare = screen_text({}, {.screen = name}, {});
    if (!bare) {
      EXPECT_THAT(bare.why().message, HasSubstr("keeps no store")) << name;
    }
  }
}

TEST(screens, say_that_a_terminal_is_too_small) {
  person looks;
  EXPECT_THAT(looks.see(60, 20), HasSubstr("This terminal is 60×20"));
  EXPECT_THAT(looks.see(1, 1), Not(HasSubstr("Ridge")));
  looks.type("q");
  EXPECT_TRUE(looks.screens().over());
}

TEST(keys, go_to_every_screen_by_its_number) {
  person walks;
  for (const auto& one : screens()) {
    if (one.key == 0) continue;
    walks.type(std::string(1, one.key));
    EXPECT_THAT(walks.see(160, 40), HasSubstr(one.title)) << one.name;
    walks.press(escape);  // a screen that asks first shows its prompts
  }
}

TEST(keys, filter_sort_and_select) {
  person finds;
  finds.type("/CONTI").press(enter);
  EXPECT_THAT(finds.see(), HasSubstr("row 1 of 2"));
  EXPECT_THAT(finds.see(), Not(HasSubstr("strided   ")));
  finds.type("/").press(escape);
  EXPECT_THAT(finds.see(), HasSubstr("row 1 of 6"));
  finds.type("G");
  EXPECT_THAT(finds.see(), HasSubstr("row 6 of 6"));
  finds.type("sssS").type("g");
  EXPECT_THAT(finds.see(), HasSubstr("median▾"));
  EXPECT_THAT(finds.see(), HasSubstr("▸  "));
}

TEST(keys, compare_marked_variants_of_one_workload) {
  person compares;
  compares.type(" jc");
  EXPECT_THAT(compares.see(), HasSubstr("Compare"));
  EXPECT_THAT(compares.see(), HasSubstr("1 workload"));
  EXPECT_THAT(compares.see(140, 40), HasSubstr("stride=64"));
  compares.press(escape);
  EXPECT_THAT(compares.see(), HasSubstr("Results"));
  compares.type("g ").type("G ").type("c");
  EXPECT_THAT(compares.see(), HasSubstr("several workloads"));
}

TEST(keys, compare_two_marked_runs_without_a_verdict) {
  person compares("live");
  compares.press(tab).type("g  c");
  const auto seen = compares.see(140, 40);
  EXPECT_THAT(seen, HasSubstr("Medians of two runs"));
  EXPECT_THAT(seen, HasSubstr("Not measured in pairs"));
  compares.press(tab);
  EXPECT_THAT(compares.see(140, 40), HasSubstr("GCC 13.1.0"));
}

TEST(keys, go_from_run_to_run) {
  person goes;
  goes.type("[");
  EXPECT_THAT(goes.see(140, 40), HasSubstr("run=01JD3K8Z5W0000000000000001"));
  goes.type("[");
  EXPECT_THAT(goes.see(), HasSubstr("oldest"));
  goes.type("]");
  EXPECT_THAT(goes.see(140, 40), HasSubstr("run=01JD3K8Z5W0000000000000002"));
  goes.type("]");
  EXPECT_THAT(goes.see(), HasSubstr("newest"));
}

TEST(keys, show_a_row_in_full_and_open_its_run) {
  person opens;
  opens.type("j").press(enter);
  EXPECT_THAT(opens.see(), HasSubstr("Row of Newest results"));
  EXPECT_THAT(opens.see(), HasSubstr("ratio_lo"));
  opens.press(enter);
  EXPECT_THAT(opens.see(140, 40), HasSubstr("Run · 01JD3K8Z5W0000000000000002"));
  opens.press(escape);
  EXPECT_THAT(opens.see(), HasSubstr("[Newest results]"));
}

TEST(keys, follow_the_selected_series) {
  person follows("series");
  EXPECT_THAT(follows.see(140, 48), HasSubstr("2026-11-20 10:00"));
  follows.type("j");
  EXPECT_THAT(follows.screens().patience_ms(), testing::Lt(250));
}

TEST(prompts, choose_what_a_screen_shows) {
  person asks("whatif");
  EXPECT_THAT(asks.see(), HasSubstr("vram"));
  asks.type("jjjjj").press(enter).type("1 ms").press(enter).type("a");
  EXPECT_THAT(asks.see(), HasSubstr("latency=1 ms"));
  asks.type("pjjjjj").press(enter).type("x").press(enter).type("a");
  EXPECT_THAT(asks.see(), HasSubstr("latency cannot be '1 msx'"));
  asks.press(escape);
  EXPECT_THAT(asks.see(), HasSubstr("latency=1 ms"));
}

TEST(commands, open_screens_and_say_what_is_wrong) {
  person says;
  says.type(":results experiment=ch09").press(enter);
  EXPECT_THAT(says.see(), HasSubstr("Nothing is stored of ch09"));
  says.type(":set experiment=ch01").press(enter);
  EXPECT_THAT(says.see(), HasSubstr("row 1 of 6"));
  says.type(":leaderbords").press(enter);
  EXPECT_THAT(says.see(), HasSubstr("did you mean leaderboards?"));
  says.type(":run ch01").press(enter);
  EXPECT_THAT(says.see(), HasSubstr("cannot start runs"));
  says.type(":set nonsense").press(enter);
  EXPECT_THAT(says.see(), HasSubstr("key=value"));
  says.type(":quit").press(enter);
  EXPECT_TRUE(says.screens().over());
}

TEST(paste, is_text_and_never_keys) {
  person pastes;
  pastes.press({key_code::paste, "q:quit\nq"});
  EXPECT_FALSE(pastes.screens().over());
  pastes.type("/").press({key_code::paste, "conti\n"});
  EXPECT_THAT(pastes.see(), HasSubstr("filter: conti_"));
}

TEST(exports, write_new_files_and_replace_none) {
  person writes;
  const auto file = writes.example().folder() / "rows.csv";
  writes.type(":export " + file.string()).press(enter);
  const auto text = read_file(file);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("ratio_lo"));
  writes.type(":export " + file.string()).press(enter);
  EXPECT_THAT(writes.see(160, 40), HasSubstr("choose another name"));
}

TEST(links, are_commands_that_a_shell_reads_back) {
  person links("results", {{"problem", "stride=8"}, {"machine", "it's \x1b[2J"}});
  links.type("y");
  EXPECT_EQ(links.screens().take_copied(), "ridge tui results 'machine=it'\\''s \\x1b[2J' problem=stride=8");
  EXPECT_EQ(links.screens().take_copied(), "");
  const std::vector<std::string> words{"results", "problem=rows=4 columns=8", "machine=m"};
  const auto read = invocation_of(words);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->settings.at("problem"), "rows=4 columns=8");
  EXPECT_EQ(read->settings.at("machine"), "m");
  EXPECT_FALSE(invocation_of(std::vector<std::string>{"resluts"}));
  EXPECT_FALSE(invocation_of(std::vector<std::string>{"results", "colour=red"}));
}

TEST(menu, answers_numbers_and_ends_with_its_input) {
  const tests::example stored;
  std::vector<std::string> lines{"2", "ch01", "", "tpu", "", "", "", "abc", "99", "0", "not read"};
  std::string said;
  std::size_t next = 0;
  const auto read = [&]() -> std::optional<std::string> {
    if (next == lines.size()) return std::nullopt;
    return lines[next++];
  };
  run_menu(stored.lent(), read, [&](std::string_view text) { said += text; }, {.columns = 100});
  EXPECT_THAT(said, HasSubstr("  1  Live run: "));
  EXPECT_THAT(said, HasSubstr("experiment: An experiment"));
  EXPECT_THAT(said, HasSubstr("contiguous"));
  EXPECT_THAT(said, HasSubstr("Give a number from 0 to "));
  EXPECT_THAT(said, HasSubstr("one of cpu, cuda")) << "an answer that cannot be taken is asked for again";
  EXPECT_THAT(said, Not(HasSubstr("?.")));
  const auto lists = std::ranges::count(split(said, '\n'), std::string_view("Ridge"));
  EXPECT_EQ(lists, 2) << "the list comes again after a screen, not after a mistake";
  EXPECT_THAT(said, Not(HasSubstr("\x1b")));
  EXPECT_EQ(next, 10U);
  lines = {"7"};
  next = 0;
  run_menu(stored.lent(), read, [](std::string_view) {}, {});  // the input ends in the middle of the prompts
}

TEST(machine, shows_the_gravest_finding_first_and_waits_for_what_is_read) {
  const tests::example stored;
  const auto text = screen_text(stored.lent(), {.screen = "machine"}, {.columns = 100});
  ASSERT_TRUE(text);
  EXPECT_LT(text->find("Frequency governor"), text->find("Turbo"));
  EXPECT_THAT(*text, HasSubstr("There is no GPU to watch"));
  EXPECT_THAT(*text, HasSubstr("Intel Xeon"));
  EXPECT_THAT(*text, HasSubstr("read bandwidth of memory"));
}

}  // namespace
}  // namespace ridge::tui
