// SPDX-License-Identifier: Apache-2.0
// Prints what Ridge and other tools' rules make of every cheat, as Markdown.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "judge.hpp"
#include "other_rules.hpp"
#include "surroundings.hpp"

namespace ridge::cheats {
namespace {

constexpr std::string_view usage = R"(usage: rule_matrix [--seed N] [--budget S] [WORD...]
Judges the cheats whose ids contain one of the words (without words all of them) as Ridge does and by the rules of
other tools, and prints a table in Markdown. All of them take some ten minutes.
  --seed N        seed of the data (1)
  --budget S      seconds of measuring per arm that Ridge has (0.02)
exit: 0 printed; 64 bad usage
)";

struct settings {
  judge_options judging{};
  std::vector<std::string> words{};
};

void print(const std::string& text) { std::fputs(text.c_str(), stdout), std::fflush(stdout); }

void print_head() {
  std::string titles = "| cheat | Ridge |", rule = "|---|---|";
  for (const auto& one : other_rules()) {
    titles += fmt::format(" {} |", one.tool);
    rule += "---|";
    print(fmt::format("- {}: {}.\n", one.tool, one.protocol));
  }
  print("\n" + titles + "\n" + rule + "\n");
}

// Counts of each belief by column, in order.
using sums = std::map<std::string, int>;

void print_sums(const std::vector<sums>& columns) {
  for (const std::string seen : {"caught", "no gain", "believed", "not reported", "lost"}) {
    std::string line = fmt::format("| **{}** |", seen);
    for (const auto& column : columns) {
      const auto found = column.find(seen);
      line += fmt::format(" {} |", found == column.end() ? 0 : found->second);
    }
    print(line + "\n");
  }
}

int run(const settings& s) {
  const temporary_scratch scratch;
  print_head();
  std::vector<sums> columns(1 + other_rules().size());
  for (const auto& one : all_cheats()) {
    if (!is_asked_for(one.id, s.words)) continue;
    std::vector<std::string> beliefs{std::string(name(judge_cheat(one, s.judging).outcome))};
    for (const auto& rule : other_rules()) beliefs.emplace_back(name(judge_by(rule, one, s.judging.seed)));
    std::string line = fmt::format("| `{}` |", one.id);
    for (std::size_t column = 0; column < beliefs.size(); ++column) {
      line += fmt::format(" {} |", beliefs[column]);
      ++columns[column][beliefs[column]];
    }
    print(line + "\n");
  }
  print_sums(columns);
  return 0;
}

}  // namespace
}  // namespace ridge::cheats

int main(int count, char** words) {
  ridge::cheats::settings s;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--seed" && i + 1 < count) {
      s.judging.seed = std::strtoull(words[++i], nullptr, 10);
    } else if (word == "--budget" && i + 1 < count) {
      s.judging.budget_per_arm_s = std::atof(words[++i]);
    } else if (word.starts_with("-")) {
      std::fputs(ridge::cheats::usage.data(), stderr);
      return 64;
    } else {
      s.words.emplace_back(word);
    }
  }
  return ridge::cheats::run(s);
}
