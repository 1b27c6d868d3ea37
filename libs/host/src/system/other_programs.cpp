// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/other_programs.hpp>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

namespace ridge::host {
namespace {

// A line of /proc/PID/stat (proc_pid_stat(5)).
struct process_line {
  char state = '?';
  int parent = 0, threads = 1;
  std::uint64_t start = 0;  // ticks since the machine started
};

std::optional<process_line> process_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto name_end = text.rfind(')');  // a name may hold anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream words(text.substr(name_end + 1));
  process_line made;
  words >> made.state >> made.parent;
  std::string passed_over;
  for (int field = 5; field < 20; ++field) words >> passed_over;
  words >> made.threads >> passed_over >> made.start;
  return words ? std::optional(made) : std::nullopt;
}

std::optional<int> number_in(const std::string& name) {
  int id = 0;
  const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (wrong != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return id;
}

std::map<int, process_line> processes_in(const std::filesystem::path& proc) {
  std::map<int, process_line> all;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(proc, failed)) {
    const auto id = number_in(entry.path().filename().string());
    if (!id) continue;
    if (const auto line = process_in(entry.path() / "stat")) all.emplace(*id, *line);
  }
  return all;
}

// "0.52 0.58 0.59 3/1024 4711" (proc_loadavg(5)): how many tasks run or wait for a processor.
int running_tasks(const std::filesystem::path& proc) {
  std::ifstream in(proc / "loadavg");
  std::string first, second, third;
  int running = 0;
  in >> first >> second >> third >> running;
  return in ? running : 0;
}

class family_of_this_program {
 public:
  family_of_this_program(std::filesystem::path proc, int self)
      : proc_(std::move(proc)), all_(processes_in(proc_)), eldest_(eldest(self)) {}

  [[nodiscard]] bool others_run() const {
    return std::ranges::any_of(all_,
                               [&](const auto& one) { return is_stranger(one.first) && runs(one.first); });
  }

 private:
  static constexpr int first_process = 1, kernel_threads = 2;

  // The topmost of this process' ancestors in a row that execute the same file.
  [[nodiscard]] int eldest(int self) const {
    const auto program_of = [&](int id) {
      std::error_code failed;
      return std::filesystem::read_symlink(proc_ / std::to_string(id) / "exe", failed).string();
    };
    const auto program = program_of(self);
    int top = self;
    for (auto at = all_.find(self); at != all_.end(); at = all_.find(top)) {
      const int parent = at->second.parent;
      if (program.empty() || parent <= first_process || program_of(parent) != program) break;
      top = parent;
    }
    return top;
  }

  [[nodiscard]] bool is_stranger(int id) const {
    int top = id;
    for (auto at = all_.find(id); at != all_.end() && at->first != first_process; at = all_.find(top)) {
      if (at->first == eldest_ || at->first == kernel_threads) return false;
      top = at->first;
      if (!all_.contains(at->second.parent) || at->second.parent == first_process) break;
      top = at->second.parent;
    }
    const auto ours = all_.find(eldest_);
    return ours == all_.end() || all_.at(top).start < ours->second.start;
  }

  [[nodiscard]] bool runs(int id) const {
    const auto& line = all_.at(id);
    if (line.state == 'R') return true;
    if (line.threads < 2) return false;
    std::error_code failed;
    for (const auto& task :
         std::filesystem::directory_iterator(proc_ / std::to_string(id) / "task", failed)) {
      const auto one = process_in(task.path() / "stat");
      if (one && one->state == 'R') return true;
    }
    return false;
  }

  std::filesystem::path proc_;
  std::map<int, process_line> all_;
  int eldest_;
};

}  // namespace

bool other_programs_run(const std::filesystem::path& proc, int self) {
  if (running_tasks(proc) <= 1) return false;  // this one runs
  return family_of_this_program(proc, self == 0 ? getpid() : self).others_run();
}

}  // namespace ridge::host
