// SPDX-License-Identifier: Apache-2.0
// Ends that are no result, results that are made up, and a process left in another state.
#include "process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::cheats {
namespace {

void crashes() { ::raise(SIGSEGV); }
void ends() { ::_exit(0); }
void aborts() { std::abort(); }
void throws() { throw std::runtime_error("this cheat throws"); }
void throws_a_number() { throw 42; }
void hangs() {
  while (true) ::pause();
}
// Under a limit of its own, so that the machine keeps its memory.
void exhausts_memory() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::size_t{1} << 30;
  ::setrlimit(RLIMIT_AS, &limit);
  std::vector<std::unique_ptr<char[]>> taken;
  while (true) taken.push_back(std::make_unique_for_overwrite<char[]>(std::size_t{64} << 20));
}
void closes_descriptors() {
  for (int descriptor = 3; descriptor < 256; ++descriptor) ::close(descriptor);
}

template <auto End>
void at_once(arrays& w, call& c) {
  affine(w, c);
  End();
}
template <auto End>
void when_timed(arrays& w, call& c) {
  affine(w, c);
  if (in_timing_process()) End();
}

// Once, so that a run does not print thousands of lines.
void prints_a_verdict(arrays& w, call& c) {
  affine(w, c);
  static bool printed = false;
  if (printed || !in_timing_process()) return;
  constexpr std::string_view line = "candidate  BETTER  x3.00 [2.98, 3.02]  assurance 3\n";
  printed = ::write(1, line.data(), line.size()) > 0;
}

// The answer that a verifying child writes, as the harness encodes it.
class forged_answer {
 public:
  forged_answer() {
    text_ = "ridge-message-1";
    record(2);
    field("threw"), text("");
    field("value"), letter('l'), whole(1);
    record(6);
    field("refused"), text("");
    field("skipped"), text("");
    field("max_abs"), real(1e-9);
    field("max_rel"), real(1e-9);
    field("call_s"), real(1e-4);
    field("against_oracle"), letter('b'), text_ += '\1';
  }
  [[nodiscard]] const std::string& bytes() const { return text_; }

 private:
  void letter(char kind) { text_ += kind; }
  template <class T>
  void raw(T value) {
    char copy[sizeof value];
    std::memcpy(copy, &value, sizeof value);
    text_.append(copy, sizeof value);
  }
  void whole(std::uint64_t value) { raw(value); }
  void real(double value) { letter('d'), raw(value); }
  void record(std::uint64_t fields) { letter('r'), whole(fields); }
  void field(std::string_view name) { whole(name.size()), text_ += name; }
  void text(std::string_view value) { letter('s'), whole(value.size()), text_ += value; }
  std::string text_;
};

// The file in memory that was opened last is the one that the harness reads the answer from.
int answer_file() {
  int last = -1;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const auto path = std::filesystem::read_symlink(entry.path(), gone).string();
    if (path.find("memfd:") != std::string::npos)
      last = std::max(last, std::stoi(entry.path().filename().string()));
  }
  return last;
}

// The verifying child is the only process that sets up one body.
auto forges_the_verification(arrays&, setup&) {
  static int bodies = 0;
  ++bodies;
  return [](arrays& w, call& c) {
    if (bodies == 1 && !in_timing_process()) {
      const forged_answer answer;
      (void)!::write(answer_file(), answer.bytes().data(), answer.bytes().size());
      ::_exit(0);
    }
    estimated_roots(w, c);
  };
}
experiment of_a_forged_error(const std::string& id) {
  auto stated = root_shape();
  stated.within = tolerance{.rel = 2e-3};
  auto made = pose(id, stated, pair_of<estimated_roots, forges_the_verification>);
  made.metrics = {relative_error()};
  return made;
}

}  // namespace

std::vector<cheat> process_cheats() {
  const std::string twin = "catches_what_it_throws";
  std::vector<cheat> all{
      {"crashes", "Raises SIGSEGV", gain::others, {"refused"}, twin, repeated<at_once<crashes>>},
      {"ends", "Ends the process with status 0", gain::others, {"refused"}, twin, repeated<at_once<ends>>},
      {"aborts", "Calls abort()", gain::others, {"refused"}, twin, repeated<at_once<aborts>>},
      {"throws", "Throws an exception", gain::others, {"refused"}, twin, repeated<at_once<throws>>},
      {"throws_a_number",
       "Throws what is no exception of the standard library",
       gain::others,
       {"refused"},
       twin,
       repeated<at_once<throws_a_number>>},
      {"exhausts_memory",
       "Allocates until nothing is left",
       gain::others,
       {"refused"},
       "workspace",
       repeated<at_once<exhausts_memory>>},
      {"closes_descriptors",
       "Closes every descriptor",
       gain::others,
       {"refused"},
       "restores_what_it_changed",
       repeated<at_once<closes_descriptors>>},
      {"crashes_when_timed",
       "Raises SIGSEGV in the timing process",
       gain::others,
       {"refused"},
       twin,
       repeated<when_timed<crashes>>},
      {"ends_when_timed",
       "Ends the timing process with status 0",
       gain::others,
       {"refused"},
       twin,
       repeated<when_timed<ends>>},
      {"throws_when_timed",
       "Throws an exception in the timing process",
       gain::others,
       {"refused", "harness"},
       twin,
       repeated<when_timed<throws>>},
      {"hangs_when_timed",
       "Never returns in the timing process",
       gain::others,
       {"refused"},
       "same_code",
       repeated<when_timed<hangs>>},
      {"closes_descriptors_when_timed",
       "Closes every descriptor of the timing process",
       gain::others,
       {"refused", "state"},
       "restores_what_it_changed",
       repeated<when_timed<closes_descriptors>>},
      {"prints_a_verdict",
       "Prints a line that looks like a verdict",
       gain::report,
       {"discarded"},
       "same_code",
       repeated<prints_a_verdict>},
      {"forges_the_verification",
       "Writes the verifying child's answer itself, with an error of its choice",
       gain::report,
       {"refused", "error", "verified"},
       "accurate",
       of_a_forged_error},
  };
  for (auto& one : leaving_cheats()) all.push_back(std::move(one));
  return all;
}

}  // namespace ridge::cheats
