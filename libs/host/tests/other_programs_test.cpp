// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/other_programs.hpp>

#include <unistd.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

// A folder that looks like /proc, in which this program is process 10, forked from 9, started by the shell 5.
class listed_processes {
 public:
  listed_processes() {
    fs::create_directories(root_);
    tasks_running(2);
    add(1, 0, 0);
    add(2, 0, 0, 'S', "kthreadd");
    add(5, 1, 100, 'S', "bash");
    add(9, 5, 1000, 'S', "ridge");
    add(10, 9, 1001, 'R', "ridge");
  }
  ~listed_processes() { fs::remove_all(root_); }
  void tasks_running(int count) {
    std::ofstream(root_ / "loadavg") << "0.5 0.6 0.7 " << count << "/300 4711\n";
  }
  void add(int id, int parent, int start, char state = 'S', const std::string& name = "x", int threads = 1) {
    const auto folder = root_ / std::to_string(id);
    fs::create_directories(folder);
    write(folder / "stat", id, parent, start, state, name, threads);
    fs::remove(folder / "exe");
    fs::create_symlink("/bin/" + name, folder / "exe");
  }
  void add_task(int id, int task, char state) {
    const auto folder = root_ / std::to_string(id) / "task" / std::to_string(task);
    fs::create_directories(folder);
    write(folder / "stat", task, 0, 0, state, "task", 2);
  }
  [[nodiscard]] bool others_run() const { return other_programs_run(root_, 10); }

 private:
  static void write(const fs::path& file, int id, int parent, int start, char state, const std::string& name,
                    int threads) {
    std::ofstream out(file);
    out << id << " (" << name << ") " << state << ' ' << parent;
    for (int field = 5; field < 20; ++field) out << " 0";
    out << ' ' << threads << " 0 " << start << " 0 0\n";
  }
  fs::path root_ = fs::temp_directory_path() / ("ridge-other-programs-" + std::to_string(getpid()));
};

TEST(other_programs, are_those_that_have_nothing_to_do_with_this_one) {
  listed_processes seen;
  EXPECT_FALSE(seen.others_run());
  seen.add(20, 5, 2000, 'R', "make) R 1 (");
  EXPECT_TRUE(seen.others_run()) << "of the same shell";
  seen.tasks_running(1);
  EXPECT_FALSE(seen.others_run()) << "the kernel says that nothing else runs";
}

TEST(other_programs, are_none_that_this_one_started_or_may_have_started) {
  listed_processes seen;
  seen.add(11, 10, 1100, 'R', "child");
  seen.add(12, 9, 1100, 'R', "sibling");
  seen.add(13, 12, 1100, 'R', "nephew");
  seen.add(14, 1, 1100, 'R', "detached");
  seen.add(15, 14, 1200, 'R', "of-the-detached");
  seen.add(16, 2, 0, 'R', "kworker");
  EXPECT_FALSE(seen.others_run());
  seen.add(17, 1, 50, 'R', "daemon");
  EXPECT_TRUE(seen.others_run());
}

TEST(other_programs, may_run_in_a_thread) {
  listed_processes seen;
  seen.add(20, 5, 2000, 'S', "server", 2);
  seen.add_task(20, 20, 'S');
  EXPECT_FALSE(seen.others_run());
  seen.add_task(20, 21, 'R');
  EXPECT_TRUE(seen.others_run());
}

TEST(other_programs, are_not_told_of_where_nothing_is_listed) {
  EXPECT_FALSE(other_programs_run("/nowhere"));
}

}  // namespace
}  // namespace ridge::host
