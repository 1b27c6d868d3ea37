// SPDX-License-Identifier: Apache-2.0
#include "session/build_arms.hpp"

#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/child_process.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/model/json.hpp>

#include "ceilings/ceilings_cache.hpp"
#include "session/last_line.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

// Returns what a failed program printed last: on stderr, else on stdout, else how it ended.
std::string last_words(const host::finished_child& done) {
  const auto& said = done.errors.empty() ? done.output : done.errors;
  return said.empty() ? text(done.outcome) : last_line(said);
}

// Runs a step of a build and returns its output; an error with its last words when it fails.
result<std::string> step(const std::vector<std::string>& command) {
  const auto done = host::run_program({.command = command});
  if (succeeded(done.outcome)) return std::string(trim(done.output));
  return error{fmt::format("`{}` failed: {}", join(command, " "), last_words(done)),
               "give --against an executable, or a commit that builds"};
}

result<std::string> built(const std::string& commit, const std::string& source) {
  const auto folder = cache_folder() / "builds" / commit;
  const auto program = folder / "build/release/bin/ridge";
  if (fs::exists(program)) return program.string();
  if (!fs::exists(folder / "CMakeLists.txt")) {
    if (auto made =
            step({"git", "-C", source, "worktree", "add", "--detach", "--force", folder.string(), commit});
        !made)
      return made;
  }
  if (auto made = step({"cmake", "-S", folder.string(), "-B", (folder / "build/release").string(), "-G",
                        "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DRIDGE_TESTS=OFF"});
      !made)
    return made;
  if (auto made = step({"cmake", "--build", (folder / "build/release").string(), "--target", "ridge"}); !made)
    return made;
  return program.string();
}

}  // namespace

build_arms::build_arms(std::vector<std::string> programs, std::vector<std::string> arguments,
                       std::string variant)
    : programs_(std::move(programs)), arguments_(std::move(arguments)), variant_(std::move(variant)) {}

model::estimate build_arms::measured_by(std::size_t arm) const {
  std::vector<std::string> command{programs_[arm]};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  const auto done = host::run_program({.command = command});
  const auto run = model::run_from_json(done.output);
  const auto* seen =
      run && run->families.size() == 1 ? model::find(run->families.front(), variant_) : nullptr;
  if (seen != nullptr && !seen->metrics.empty() && seen->refused.empty()) return seen->metrics.front();
  const auto why = seen == nullptr ? last_words(done) : seen->refused + seen->skipped;
  throw unavailable(fmt::format("{} did not measure {}: {}", programs_[arm], variant_, why),
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

result<std::string> program_of(const std::string& binary_or_commit) {
  std::error_code ignored;
  if (fs::is_regular_file(binary_or_commit, ignored) && access(binary_or_commit.c_str(), X_OK) == 0)
    return fs::absolute(binary_or_commit).string();
  const auto source = step({"git", "rev-parse", "--show-toplevel"});
  if (!source)
    return error{fmt::format("\"{}\" is not an executable file, and this folder is in no repository",
                             binary_or_commit),
                 "give --against an executable"};
  const auto commit = step({"git", "rev-parse", "--verify", "--quiet", binary_or_commit + "^{commit}"});
  if (!commit)
    return error{fmt::format("\"{}\" is neither an executable file nor a commit", binary_or_commit),
                 "see `git log`"};
  return built(*commit, *source);
}

}  // namespace ridge::app
