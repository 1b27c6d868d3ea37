// SPDX-License-Identifier: Apache-2.0
// Works for MILLISECONDS of processor time in a function of its own, then sleeps, and starts a child that
// does the same. usage: profiled_burner MILLISECONDS [EXIT_CODE]
#include <sys/wait.h>
#include <unistd.h>
#include <ctime>

#include <cstdlib>

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

volatile unsigned sink = 1;

}  // namespace

[[gnu::noinline]] void burn_named_function() {
  for (int i = 0; i < 200'000; ++i) sink = sink * 1664525U + 1013904223U;
}

[[gnu::noinline]] void burn_for(double seconds) {
  for (const auto until = cpu_seconds() + seconds; cpu_seconds() < until;) burn_named_function();
}

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) / 1000 : 0.1;
  burn_for(seconds);
  usleep(30'000);
  if (const auto child = fork(); child == 0) {
    burn_for(seconds);
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  return count > 2 ? std::atoi(words[2]) : 0;
}
