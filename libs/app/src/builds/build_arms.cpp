// SPDX-License-Identifier: Apache-2.0
#include "builds/build_arms.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <ridge/app/cache_folder.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/child_process.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/model/json.hpp>

#include "builds/checkout.hpp"
#include "builds/watched_step.hpp"
#include "programs/run_until_interrupt.hpp"
#include "session/build_warning.hpp"
#include "session/fail_on.hpp"
#include "session/last_line.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

// Returns what a failed program printed last: on stderr, where what it says of its own build is no reason,
// else on stdout, else how it ended.
std::string last_words(const host::finished_child& done) {
  std::string errors;
  for (const auto line : split(done.errors, '\n')) {
    if (!begins_build_warning(line)) errors += std::string(line) + '\n';
  }
  const auto said = errors.find_first_not_of(" \n") == std::string::npos ? done.output : errors;
  const auto last = last_line(said);
  return last.empty() ? text(done.outcome) : last;
}

const model::measurement* find_in(const model::run& run, const std::string& variant) {
  for (const auto& family : run.families) {
    if (const auto* found = model::find(family, variant)) return found;
  }
  return nullptr;
}

// Returns why a worker has no time of a variant.
std::string why_not_measured(const host::finished_child& done, const result<model::run>& run,
                             const model::measurement* seen) {
  if (!run) return last_words(done);
  if (seen != nullptr && !(seen->refused + seen->skipped).empty()) return seen->refused + seen->skipped;
  if (!run->left_out.empty()) return run->left_out.front().reason;
  for (const auto& family : run->families) {
    if (auto why = failure_of(family); !why.empty()) return why;
  }
  return seen == nullptr ? "its run has no such variant" : "its run has no time of it";
}

// Builds a program and the chapter of an experiment; the files of the commit go when it is built, the build
// stays.
result<std::string> built(const std::string& commit, const std::string& repository,
                          const std::string& chapter, progress_line& line) {
  const auto folder = cache_folder() / "builds" / commit;
  const auto build = (folder / "build").string();
  const auto name = "building " + commit.substr(0, 9);
  const auto program = folder / "build/bin/ridge", finished = folder / ("built." + chapter);
  if (fs::exists(finished) && fs::exists(program)) return program.string();
  const checkout files(repository, commit, folder / "source", line);
  const std::vector<std::vector<std::string>> commands{
      {"cmake", "-S", files.folder().string(), "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
       "-DRIDGE_TESTS=OFF"},
      {"cmake", "--build", build, "--target", "ridge", "chapter_" + chapter}};
  for (const auto& command : commands) {
    if (auto made = run_step({name, command, ""}, line); !made) return made;
  }
  std::ofstream(finished) << commit << '\n';
  return program.string();
}

}  // namespace

build_arms::build_arms(std::vector<std::string> programs, std::vector<std::string> arguments,
                       std::string variant)
    : programs_(std::move(programs)), arguments_(std::move(arguments)), variant_(std::move(variant)) {}

model::estimate build_arms::measured_by(std::size_t arm) const {
  std::vector<std::string> command{programs_[arm]};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  const auto done = run_until_interrupt({.command = command});
  if (interrupted()) throw interrupted_step("measuring " + variant_);
  const auto run = model::run_from_json(done.output);
  const auto* seen = run ? find_in(*run, variant_) : nullptr;
  if (seen != nullptr && !seen->metrics.empty() && seen->refused.empty()) return seen->metrics.front();
  throw unavailable(
      fmt::format("{} did not measure {}: {}", programs_[arm], variant_, why_not_measured(done, run, seen)),
      "both programs must know the experiment");
}

model::metric build_arms::try_each() {
  auto what = measured_by(0).metric;
  for (std::size_t arm = 1; arm < arms(); ++arm) static_cast<void>(measured_by(arm));
  return what;
}

harness::sample build_arms::run(std::size_t arm, std::uint64_t) {
  const double start = harness::monotonic_seconds();
  value_[0] = measured_by(arm).median;
  return {.seconds = harness::monotonic_seconds() - start, .values = value_};
}

std::vector<std::string> worker_words(const std::string& id, const std::string& variant,
                                      const std::vector<std::string>& axes) {
  // A budget of the whole call would have to pay for verification, too, which takes as long as it takes.
  std::vector<std::string> words{"run",          id,      "--variant", variant, "--profile", "minimal",
                                 "--arm-budget", "150ms", "--format",  "json",  "--no-store"};
  for (const auto& axis : axes) words.insert(words.end(), {"--axis", axis});
  return words;
}

result<std::string> program_of(const std::string& binary_or_commit, const std::string& chapter,
                               progress_line& line) {
  std::error_code ignored;
  if (fs::is_regular_file(binary_or_commit, ignored) && access(binary_or_commit.c_str(), X_OK) == 0)
    return fs::absolute(binary_or_commit).string();
  const auto repository = repository_here();
  if (!repository)
    return error{fmt::format("\"{}\" is not an executable file, and this folder is in no repository",
                             binary_or_commit),
                 "give --against an executable"};
  const auto commit = commit_named(*repository, binary_or_commit);
  if (!commit)
    return error{fmt::format("\"{}\" is neither an executable file nor a commit", binary_or_commit),
                 "see `git log`"};
  return built(*commit, *repository, chapter, line);
}

}  // namespace ridge::app
