// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/process_state.hpp>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <ridge/base/text.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/text_file.hpp>

#include "system/process_settings.hpp"

namespace ridge::host {
namespace {

// New threads reserve heaps of this many bytes in address space.
constexpr std::size_t heap_of_a_thread = std::size_t{64} << 20;
constexpr std::size_t kept_at_least = std::size_t{64} << 10;

namespace files = std::filesystem;

std::vector<int> numbers_in(const char* folder) {
  std::vector<int> all;
  std::error_code ignored;
  for (const auto& entry : files::directory_iterator(folder, ignored)) {
    if (const auto number = to_number(entry.path().filename().string()))
      all.push_back(static_cast<int>(*number));
  }
  std::ranges::sort(all);
  return all;
}

std::vector<std::string> open_descriptors() {
  std::vector<std::string> all;
  for (const int descriptor : numbers_in("/proc/self/fd")) {
    std::error_code gone;  // the one that lists the folder itself
    const auto path = files::read_symlink("/proc/self/fd/" + std::to_string(descriptor), gone);
    if (!gone) all.push_back(std::to_string(descriptor) + " -> " + path.string());
  }
  return all;
}

std::vector<int> child_processes() {
  std::vector<int> all;
  for (const int thread : numbers_in("/proc/self/task")) {
    std::ifstream in("/proc/self/task/" + std::to_string(thread) + "/children");
    for (int child = 0; in >> child;) all.push_back(child);
  }
  std::ranges::sort(all);
  return all;
}

void read_signals(process_state& state) {
  for (int signal = 1; signal < static_cast<int>(state.handlers.size()); ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    state.handlers[static_cast<std::size_t>(signal)] = reinterpret_cast<std::uintptr_t>(action.sa_sigaction);
  }
  sigset_t blocked{};
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < 64; ++signal) {
    if (sigismember(&blocked, signal) == 1) state.blocked_signals |= std::uint64_t{1} << signal;
  }
  constexpr std::array kinds{ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    itimerval value{};
    getitimer(kinds[i], &value);
    state.timers[i] = value.it_value.tv_sec != 0 || value.it_value.tv_usec != 0;
  }
}

void read_processor_modes(process_state& state) {
#if defined(__x86_64__)
  state.vector_control = _mm_getcsr() & ~0x3fu;
  asm volatile("fnstcw %0" : "=m"(state.x87_control));
  int mode = PR_TSC_ENABLE;
  state.reads_time_stamps = prctl(PR_GET_TSC, &mode) != 0 || mode == PR_TSC_ENABLE;
#else
  (void)state;
#endif
}

std::vector<std::string> resource_limits() {
  std::vector<std::string> all;
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    all.push_back(std::to_string(limit.rlim_cur) + " of " + std::to_string(limit.rlim_max));
  }
  return all;
}

std::vector<std::string> environment_variables() {
  std::vector<std::string> all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    all.emplace_back(*variable);
  std::ranges::sort(all);
  return all;
}

std::vector<std::pair<int, std::vector<int>>> places_of_other_threads() {
  std::vector<std::pair<int, std::vector<int>>> all;
  for (const int thread : numbers_in("/proc/self/task")) {
    if (thread == gettid()) continue;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(thread, sizeof set, &set) != 0) continue;
    auto& cpus = all.emplace_back(thread, std::vector<int>{}).second;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
    }
  }
  return all;
}

// What is in `b` and not in `a`; both are sorted or in the order of numbers.
template <class T>
std::vector<T> added(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> all;
  std::ranges::copy_if(b, std::back_inserter(all),
                       [&](const T& x) { return std::ranges::find(a, x) == a.end(); });
  return all;
}

void compare_lists(std::vector<std::string>& all, const std::string& one,
                   const std::vector<std::string>& before, const std::vector<std::string>& after) {
  for (const auto& more : added(before, after)) all.push_back(one + " " + more + " was opened");
  for (const auto& less : added(after, before)) all.push_back(one + " " + less + " was closed");
}

std::string name_of(const std::string& variable) { return variable.substr(0, variable.find('=')); }

void compare_environment(std::vector<std::string>& all, const process_state& before,
                         const process_state& after) {
  std::vector<std::string> names;
  for (const auto& list :
       {added(before.environment, after.environment), added(after.environment, before.environment)}) {
    for (const auto& variable : list) names.push_back(name_of(variable));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const auto& name : names) all.push_back("the environment variable " + name);
}

void compare_settings(std::vector<std::string>& all, const process_state& before,
                      const process_state& after) {
  for (const auto& [name, value] : before.settings) {
    for (const auto& [same, other] : after.settings) {
      if (name == same && value != other) all.push_back(name);
    }
  }
}

void compare_other_threads(std::vector<std::string>& all, const process_state& before,
                           const process_state& after) {
  for (const auto& [thread, cpus] : before.other_threads) {
    for (const auto& [same, others] : after.other_threads) {
      if (thread != same || cpus == others) continue;
      all.emplace_back("the CPUs that another thread may use");
      return;
    }
  }
}

void compare_signals(std::vector<std::string>& all, const process_state& before, const process_state& after) {
  for (std::size_t signal = 1; signal < before.handlers.size(); ++signal) {
    if (before.handlers[signal] == after.handlers[signal]) continue;
    const char* name = sigabbrev_np(static_cast<int>(signal));
    all.push_back(name != nullptr ? std::string("the handler of SIG") + name
                                  : "the handler of signal " + std::to_string(signal));
  }
  if (before.blocked_signals != after.blocked_signals) all.emplace_back("the mask of blocked signals");
  if (before.timers != after.timers) all.emplace_back("an interval timer");
}

}  // namespace

int threads_of_this_process() { return static_cast<int>(numbers_in("/proc/self/task").size()); }

process_state read_process_state() {
  process_state state{.threads = threads_of_this_process(),
                      .descriptors = open_descriptors(),
                      .children = child_processes(),
                      .cpus = affinity(),
                      .policy = sched_getscheduler(0),
                      .nice = getpriority(PRIO_PROCESS, 0),
                      .limits = resource_limits(),
                      .environment = environment_variables()};
  read_signals(state);
  read_processor_modes(state);
  state.settings = read_process_settings();
  state.other_threads = places_of_other_threads();
  state.mapped_bytes = mapped_beside_the_heap();
  state.heap_bytes = bytes_of_heaps();
  std::error_code ignored;
  state.folder = files::current_path(ignored).string();
  state.file_mask = umask(0);
  umask(state.file_mask);
  return state;
}

std::vector<std::string> differences(const process_state& before, const process_state& after) {
  std::vector<std::string> all;
  if (after.threads > before.threads)
    all.push_back(std::to_string(after.threads - before.threads) + " threads more");
  if (after.threads < before.threads)
    all.push_back(std::to_string(before.threads - after.threads) + " threads fewer");
  compare_lists(all, "the descriptor", before.descriptors, after.descriptors);
  if (const auto more = added(before.children, after.children); !more.empty())
    all.push_back(std::to_string(more.size()) + " child processes");
  compare_signals(all, before, after);
  if (before.cpus != after.cpus) all.emplace_back("the CPUs that the thread may use");
  if (before.policy != after.policy || before.nice != after.nice) all.emplace_back("the thread's scheduling");
  if (before.vector_control != after.vector_control || before.x87_control != after.x87_control)
    all.emplace_back("the rounding mode");
  if (before.reads_time_stamps != after.reads_time_stamps)
    all.emplace_back("access to the time-stamp counter");
  if (before.limits != after.limits) all.emplace_back("a resource limit");
  compare_environment(all, before, after);
  compare_settings(all, before, after);
  compare_other_threads(all, before, after);
  if (before.folder != after.folder) all.emplace_back("the current folder");
  if (before.file_mask != after.file_mask) all.emplace_back("the mask of new files' permissions");
  return all;
}

std::string kept_mapping(const process_state& before, const process_state& after) {
  if (before.mapped_bytes == 0 || after.mapped_bytes <= before.mapped_bytes) return {};
  const auto kept = after.mapped_bytes - before.mapped_bytes;
  const auto beyond = kept % heap_of_a_thread;
  // What malloc has taken of the heap of a thread, which may have ended, is malloc's and not among `kept`.
  const auto taken = std::max(before.heap_bytes, after.heap_bytes) - before.heap_bytes;
  const bool of_threads = beyond < kept_at_least || heap_of_a_thread - beyond <= taken;
  if (of_threads || after.threads != before.threads) return {};
  return std::to_string(kept) + " B of memory stayed mapped";
}

}  // namespace ridge::host
