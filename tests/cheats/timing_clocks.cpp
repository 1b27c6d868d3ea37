// SPDX-License-Identifier: Apache-2.0
// Clocks that are made to lie: a third of the candidate's own time is hidden.
#include "timing.hpp"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <x86intrin.h>
#endif

namespace ridge::cheats {
namespace {

std::uint64_t hidden_ticks = 0;

// The function that the harness's device reads its clock by, as std::function keeps it.
using clock_invoker = std::uint64_t (*)(const void*);
clock_invoker true_clock = nullptr;
std::uint64_t forged_clock(const void* closure) { return true_clock(closure) - hidden_ticks; }

struct clock_place {
  const void* closure = nullptr;
  clock_invoker* invoker = nullptr;
};

// A call begins with the clock it reads, which leads to the device; there the unit of the clock's ticks
// stands behind the function that reads it.
clock_place find_clock(const call& c) {
  struct reader {
    void* read;
    char* device;
    double seconds_per_tick;
  } clock;
  std::memcpy(&clock, static_cast<const void*>(&c), sizeof clock);
  for (std::size_t offset = 32; offset < 256; offset += 8) {
    double unit = 0;
    std::memcpy(&unit, clock.device + offset, sizeof unit);
    if (unit == clock.seconds_per_tick)
      return {clock.device + offset - 32, reinterpret_cast<clock_invoker*>(clock.device + offset - 8)};
  }
  return {};
}

void replaces_the_clock(arrays& w, call& c) {
  if (!in_timing_process()) return costly(w, c);
  static const auto place = find_clock(c);
  if (place.invoker == nullptr) return costly(w, c);
  if (true_clock == nullptr) {
    true_clock = *place.invoker;
    *place.invoker = forged_clock;
  }
  const auto start = true_clock(place.closure);
  costly(w, c);
  hidden_ticks += (true_clock(place.closure) - start) / 3;
}

#if defined(__x86_64__)
std::uint64_t true_ticks() {
  ::prctl(PR_SET_TSC, PR_TSC_ENABLE);
  return __rdtsc();
}

// Answers a trapped reading of the time stamp counter.
void on_time_stamp(int signal, siginfo_t*, void* context) {
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  const bool plain = code[0] == 0x0F && code[1] == 0x31;
  const bool with_processor = code[0] == 0x0F && code[1] == 0x01 && code[2] == 0xF9;
  if (!plain && !with_processor) {
    ::signal(signal, SIG_DFL);
    return;
  }
  const auto ticks = true_ticks() - hidden_ticks;
  ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  registers[REG_RAX] = static_cast<greg_t>(ticks & 0xFFFFFFFFu);
  registers[REG_RDX] = static_cast<greg_t>(ticks >> 32);
  if (with_processor) registers[REG_RCX] = 0;
  registers[REG_RIP] += plain ? 2 : 3;
}

void traps_the_time_stamp(arrays& w, call& c) {
  if (!in_timing_process()) return costly(w, c);
  struct sigaction action {};
  action.sa_sigaction = on_time_stamp;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
  const auto start = true_ticks();
  costly(w, c);
  hidden_ticks += (true_ticks() - start) / 3;
  ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}
#endif

}  // namespace

std::vector<cheat> clock_cheats() {
  return {
    {"replaces_the_clock", "Overwrites the function that the harness's device reads its clock by",
     gain::time,           {"clock", "state"},
     "reads_the_clock",    single<replaces_the_clock>},
#if defined(__x86_64__)
        {"traps_the_time_stamp",
         "Readings of the time stamp counter fault, and a handler makes them up",
         gain::time,
         {"clock", "state", "refused"},
         "reads_the_clock",
         single<traps_the_time_stamp>},
#endif
  };
}

}  // namespace ridge::cheats
