// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <ridge/base/text.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

// The tests are named by shell, so that the report says which one was skipped.
class completion : public testing::TestWithParam<std::string> {};

TEST_P(completion, is_read_by_its_shell_without_complaint) {
  const scene s;
  const auto& shell = GetParam();
  if (s.ridge("list --ids >/dev/null; command -v " + shell).out.empty())
    GTEST_SKIP() << shell << " is not installed";
  const auto read = s.ridge("completion " + shell + " | " + shell + " -n /dev/stdin");
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_EQ(read.err, "");
}

constexpr const char* in_bash = R"(source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ridge; printf '%s\n' "${COMPREPLY[@]}"
)";

constexpr const char* in_fish = R"(source $argv[1]
complete -C (string join ' ' -- $argv[2..-1])
)";

// Types the line into an interactive shell, whose completion hands every match to the builtin `compadd`:
// those are written to a file before they are offered.
constexpr const char* in_zsh = R"(zmodload zsh/zpty
script=$1; shift
said=$PWD/zsh_offers; rm -f $said
zpty shell zsh -f -i
zpty -w shell "PROMPT=; unset zle_bracketed_paste; setopt no_beep; autoload -Uz compinit; compinit -u -D; source $script"
zpty -w shell "compadd() {
  if (( \${@[(I)-[OAD]]} )); then builtin compadd \"\$@\"; return; fi
  local -a hits; builtin compadd -O hits \"\$@\"; print -rl -- \$hits >> $said; builtin compadd \"\$@\" }"
zpty -w shell "offered() { zle complete-word; print done >> $said }; zle -N offered; bindkey '^I' offered; print begin >> $said"
for ((i = 0; i < 400; i++)); do [[ -r $said && $(<$said) == *begin* ]] && break; sleep 0.05; done
zpty -w -n shell "${(j: :)@}"$'\t'
for ((i = 0; i < 400; i++)); do [[ $(<$said) == *done* ]] && break; sleep 0.05; done
zpty -d shell
grep -vx -e begin -e done $said
)";

// What a shell offers for the last of these words, one a line; fish adds descriptions behind tabulators.
std::string offered(const scene& s, const std::string& shell, const std::string& words) {
  const auto script = (s.folder() / "script").string();
  std::ofstream(script) << (shell == "bash" ? in_bash : shell == "zsh" ? in_zsh : in_fish);
  EXPECT_EQ(s.ridge("completion " + shell + " >ridge." + shell + "; true").code, 0);
  const auto program = std::filesystem::path(RIDGE_PROGRAM).parent_path().string();
  const std::string without_settings = shell == "bash"  ? " --norc "
                                       : shell == "zsh" ? " -f "
                                                        : " --no-config ";
  return s
      .ridge("list --ids >/dev/null; export HOME=$PWD XDG_DATA_HOME=" + s.folder().string() +
             " PATH=" + program + ":$PATH; " + shell + without_settings + script + " $PWD/ridge." + shell +
             " ridge " + words)
      .out;
}

bool offers(const std::string& all, const std::string& word) {
  for (const auto line : split(all, '\n')) {
    if (line == word || line.starts_with(word + '\t') || line == word + '=') return true;
  }
  return false;
}

TEST_P(completion, offers_options_of_inner_commands_variants_and_runs) {
  const scene s;
  const auto& shell = GetParam();
  if (s.ridge("list --ids >/dev/null; command -v " + shell).out.empty())
    GTEST_SKIP() << shell << " is not installed";
  const auto options = offered(s, shell, "plan kv-cache --mo");
  EXPECT_TRUE(offers(options, "--model")) << options;
  const auto others = offered(s, shell, "plan kv-cache --che");
  EXPECT_FALSE(offers(others, "--check")) << "an option of another command: " << others;
  const auto inner = offered(s, shell, "plan kv");
  EXPECT_TRUE(offers(inner, "kv-cache")) << inner;
  const auto variants = offered(s, shell, "run ch01.coalescing --variant ''");
  EXPECT_TRUE(offers(variants, "contiguous")) << variants;
  EXPECT_FALSE(offers(variants, "one_region")) << "a variant of another experiment";
}

TEST_P(completion, offers_inner_commands_beside_files_and_the_pages_of_the_manual) {
  const scene s;
  const auto& shell = GetParam();
  if (s.ridge("list --ids >/dev/null; command -v " + shell).out.empty())
    GTEST_SKIP() << shell << " is not installed";
  const auto inner = offered(s, shell, "trace ker");
  EXPECT_TRUE(offers(inner, "kernels")) << inner;
  const auto pages = offered(s, shell, "man ben");
  EXPECT_TRUE(offers(pages, "bench")) << pages;
  EXPECT_FALSE(offers(pages, "run")) << pages;
}

TEST_P(completion, offers_runs_wherever_a_run_is_accepted) {
  const scene s;
  const auto& shell = GetParam();
  if (s.ridge("list --ids >/dev/null; command -v " + shell).out.empty())
    GTEST_SKIP() << shell << " is not installed";
  ASSERT_EQ(s.ridge(quick).code, 0);
  auto id = s.ridge("history --runs").out;
  ASSERT_EQ(id.size(), 27u);
  id.pop_back();
  for (const auto* words : {"export ''", "report ''", "show ''", "plot ''", "roofline ''", "compare ''",
                            "plan whatif --run ''"}) {
    const auto all = offered(s, shell, words);
    EXPECT_TRUE(offers(all, id)) << words << ": " << all;
  }
  for (const auto* words : {"show ''", "plot ''", "roofline ''", "compare ''"}) {
    const auto all = offered(s, shell, words);
    EXPECT_TRUE(offers(all, "ch01.coalescing")) << words << ": " << all;
  }
}

INSTANTIATE_TEST_SUITE_P(of, completion, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return shell.param; });

}  // namespace
}  // namespace ridge::cli
