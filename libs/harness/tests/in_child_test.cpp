// SPDX-License-Identifier: Apache-2.0
#include "child/in_child.hpp"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace ridge::harness {
namespace {

using numbers = std::vector<double>;

TEST(in_child, an_answer_crosses) {
  const auto got = in_child<numbers>([] { return numbers{1, 0.1}; }, 10);
  ASSERT_TRUE(got);
  EXPECT_EQ(*got.value, (numbers{1, 0.1}));
}

TEST(in_child, an_exception_is_told_with_its_lines) {
  const auto got = in_child<numbers>([]() -> numbers { throw std::runtime_error("one\ntwo"); }, 10);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.why, "one\ntwo");
}

TEST(in_child, a_silent_end_is_told) {
  const auto crashed = in_child<numbers>(
      []() -> numbers {
        raise(SIGSEGV);
        return {};
      },
      10);
  EXPECT_EQ(crashed.why, "was killed by SIGSEGV (an access outside its arrays)");
  const auto left = in_child<numbers>([]() -> numbers { _exit(0); }, 10);
  EXPECT_EQ(left.why, "ended the process it ran in");
  const auto hung = in_child<numbers>(
      []() -> numbers {
        while (true) pause();
      },
      0.1);
  EXPECT_TRUE(hung.timed_out);
  EXPECT_EQ(hung.why, "did not end within 0 s");
}

// A machine whose kernel has killed so many processes for want of memory.
class made_up_machine {
 public:
  made_up_machine() {
    std::filesystem::create_directories(root_ / "proc/self");
    std::ofstream(root_ / "proc/self/cgroup") << "0::/\n";
  }
  ~made_up_machine() { std::filesystem::remove_all(root_); }
  made_up_machine(const made_up_machine&) = delete;
  made_up_machine& operator=(const made_up_machine&) = delete;
  void has_killed(int count) const { std::ofstream(root_ / "proc/vmstat") << "oom_kill " << count << '\n'; }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("ridge_memory_" + std::to_string(getpid()));
};

TEST(in_child, a_killed_child_had_no_memory_where_the_kernel_counts_one_more) {
  const made_up_machine machine;
  machine.has_killed(5);
  const memory_watch memory(machine.root());
  const host::child_outcome killed = host::child_signalled{SIGKILL, "SIGKILL"};
  const auto by_somebody = silent_end_of(killed, memory);
  EXPECT_EQ(by_somebody.failure, model::failure_kind::crashed);
  EXPECT_EQ(by_somebody.why, "was killed by SIGKILL, as the kernel does where memory runs out");
  EXPECT_EQ(by_somebody.signal, "SIGKILL");
  machine.has_killed(6);
  const auto by_kernel = silent_end_of(killed, memory);
  EXPECT_EQ(by_kernel.failure, model::failure_kind::out_of_memory);
  EXPECT_EQ(by_kernel.why,
            "was killed by SIGKILL, since its control group or the machine had no more memory");
  const auto crashed = silent_end_of(host::child_signalled{SIGABRT, "SIGABRT"}, memory);
  EXPECT_EQ(crashed.failure, model::failure_kind::crashed) << "the kernel kills by SIGKILL alone";
}

TEST(in_child, a_killed_child_is_no_matter_of_memory_where_nobody_counts) {
  const made_up_machine machine;
  const memory_watch memory(machine.root());
  machine.has_killed(6);
  EXPECT_EQ(silent_end_of(host::child_signalled{SIGKILL, "SIGKILL"}, memory).failure,
            model::failure_kind::crashed);
}

}  // namespace
}  // namespace ridge::harness
