// SPDX-License-Identifier: Apache-2.0
#include "measured_run.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <ctime>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/large_heap.hpp>
#include <ridge/trace/open.hpp>
#include <ridge/trace_report/pages.hpp>

#include "fixtures/backend_importers.hpp"

namespace ridge::trace {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

double cpu_seconds() {
  ::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::int64_t resident_bytes() {
  ::rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return std::int64_t{1024} * used.ru_maxrss;
}

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

// Leaves the process the first `count` of its processors.
void keep_processors(int count) {
  ::cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) fail("the processors of this process are not known");
  for (std::size_t cpu = 0, kept = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set) && kept++ >= static_cast<std::size_t>(count)) CPU_CLR(cpu, &set);
  }
  if (::sched_setaffinity(0, sizeof set, &set) != 0) fail("cannot give processors back");
}

measured_run measure(const std::string& path) {
  const std::array<const importer*, 2> importers{&backends::trace_rocprof_json::rocprof_json(),
                                                 &backends::trace_chrome_json::chrome_json()};
  grow_heap_in_large_pages();  // as the commands do
  const auto begin = clock::now();
  const auto opened = open(path, importers, {.cache = false});
  measured_run made{
      .open_s = seconds_since(begin), .open_cpu_s = cpu_seconds(), .open_bytes = resident_bytes()};
  if (!opened) fail(opened.why().text());
  const auto& t = opened->traces.front();
  const auto asked = clock::now();
  const auto scope = trace_report::scope_of(t, {});
  if (!scope) fail(scope.why().text());
  static_cast<void>(trace_report::summary_page(*scope));
  made.summary_s = seconds_since(asked);
  made.summary_bytes = resident_bytes();
  made.events = t.events.size();
  made.content_bytes = t.source.content_bytes;
  return made;
}

}  // namespace

measured_run run_once(const std::string& path, int processors) {
  int pipe_ends[2]{};
  if (::pipe(pipe_ends) != 0) fail("no pipe");
  const auto child = ::fork();
  if (child < 0) fail("no child process");
  if (child == 0) {
    keep_processors(processors);
    const auto made = measure(path);
    ::_exit(::write(pipe_ends[1], &made, sizeof made) == sizeof made ? 0 : 1);
  }
  ::close(pipe_ends[1]);
  measured_run made;
  const auto got = ::read(pipe_ends[0], &made, sizeof made);
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (got != sizeof made) fail(path + ": the run failed");
  return made;
}

}  // namespace ridge::trace
