// SPDX-License-Identifier: Apache-2.0
// Something of the process is changed and left so: the arms that come after run under another state.
#include "process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace ridge::cheats {
namespace {

template <auto Leave>
void leaves(arrays& w, call& c) {
  affine(w, c);
  Leave();
}
template <auto Leave>
void leaves_when_timed(arrays& w, call& c) {
  affine(w, c);
  if (in_timing_process()) Leave();
}
template <auto Leave>
void leaves_once(arrays& w, call& c) {
  affine(w, c);
  static pid_t done_in = 0;
  if (done_in == ::getpid()) return;
  done_in = ::getpid();
  Leave();
}

void mask() { ::umask(0); }
void working_folder() { (void)!::chdir(scratch_folder().c_str()); }
void language() { ::setlocale(LC_ALL, "C.UTF-8"); }
void variable() { ::setenv("OMP_NUM_THREADS", "1", 1); }
void limit() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = 64;
  ::setrlimit(RLIMIT_NOFILE, &files);
}
void scheduling() {
  const sched_param none{};
  ::sched_setscheduler(0, SCHED_BATCH, &none);
}
void niceness() { ::setpriority(PRIO_PROCESS, 0, 19); }
// The last processor that this process may use and does not: a move there is a change wherever the caller
// runs.
std::size_t another_processor() {
  cpu_set_t here, every;
  ::sched_getaffinity(0, sizeof here, &here);
  use_all_processors();
  ::sched_getaffinity(0, sizeof every, &every);
  for (std::size_t cpu = CPU_SETSIZE; cpu-- > 0;) {
    const bool alone_here = CPU_COUNT(&here) == 1 && CPU_ISSET(cpu, &here);
    if (CPU_ISSET(cpu, &every) && !alone_here) return cpu;
  }
  return 0;
}
void affinity() {
  static const std::size_t target = another_processor();
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(target, &only);
  ::sched_setaffinity(0, sizeof only, &only);
}
void rounding() { std::fesetround(FE_TOWARDZERO); }
void flushing() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
}
void handler() { ::signal(SIGUSR1, SIG_IGN); }
void descriptors() {
  static int opened = 0;
  if (opened++ < 20) (void)::open("/dev/null", O_RDONLY | O_CLOEXEC);
}
void descriptor() { (void)::open("/dev/null", O_RDONLY | O_CLOEXEC); }
void mapping() { (void)::mmap(nullptr, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
void child() {
  if (::fork() != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::alarm(5);
  while (true) ::pause();
}
void timer() {
  const itimerval late{.it_interval = {}, .it_value = {.tv_sec = 1000, .tv_usec = 0}};
  ::setitimer(ITIMER_REAL, &late, nullptr);
}
void slack() { ::prctl(PR_SET_TIMERSLACK, 1); }
void allocator() { ::mallopt(M_MMAP_THRESHOLD, 4096); }
void name_of_the_thread() { ::prctl(PR_SET_NAME, "honest"); }

cheat left(const std::string& id, const std::string& idea, question asked, const std::string& open,
           bool by_chance = false) {
  return {id, idea, gain::others, {"state", "audit"}, "restores_what_it_changed", asked, open, by_chance};
}

}  // namespace

std::vector<cheat> leaving_cheats() {
  return {
      left("leaves_another_mask", "Changes the mask of new files", repeated<leaves<mask>>, ""),
      left("leaves_the_folder", "Changes the working folder", repeated<leaves<working_folder>>, ""),
      left("leaves_another_locale", "Changes the locale", repeated<leaves<language>>, ""),
      left("leaves_a_variable", "Sets a variable that libraries read", repeated<leaves<variable>>, ""),
      left("leaves_a_limit", "Lowers the limit of open files", repeated<leaves<limit>>, ""),
      left("leaves_another_scheduling", "Changes its scheduling class", repeated<leaves<scheduling>>, ""),
      left("leaves_another_niceness", "Lowers its priority", repeated<leaves<niceness>>,
           "it is no change for a run of the least priority", true),
      left("leaves_another_affinity", "Moves to another processor", repeated<leaves<affinity>>, "", true),
      left("leaves_another_rounding", "Changes how results are rounded", repeated<leaves<rounding>>, ""),
      left("leaves_denormals_flushed", "Sets denormal numbers to 0", repeated<leaves<flushing>>, ""),
      left("leaves_descriptors", "Leaves a file open in each call", repeated<leaves<descriptors>>, ""),
      left("leaves_a_descriptor", "Leaves one file open", repeated<leaves_once<descriptor>>, ""),
      left("leaves_an_affinity_when_timed", "Moves to another processor in the timing process",
           repeated<leaves_when_timed<affinity>>, "", true),
      left("leaves_denormals_flushed_when_timed", "Sets denormal numbers to 0 in the timing process",
           repeated<leaves_when_timed<flushing>>, ""),
      left("leaves_a_handler", "Changes what a signal does", repeated<leaves<handler>>, ""),
      left("leaves_a_mapping", "Leaves memory mapped", repeated<leaves_once<mapping>>, ""),
      left("leaves_a_child", "Leaves a child process", repeated<leaves_once<child>>, ""),
      left("leaves_a_timer", "Leaves an interval timer", repeated<leaves<timer>>, ""),
      left("leaves_another_slack", "Changes the slack of its timers", repeated<leaves<slack>>, ""),
      left("leaves_the_allocator_tuned", "Changes a setting of malloc", repeated<leaves<allocator>>, ""),
      left("leaves_another_name", "Renames the thread", repeated<leaves<name_of_the_thread>>, ""),
  };
}

}  // namespace ridge::cheats
