// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/device/timer.hpp>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridge::harness {

// Nanoseconds of CLOCK_MONOTONIC_RAW, read by an instruction that calls the kernel and not through the C
// library.
[[nodiscard]] std::uint64_t kernel_ns();

// A clock that is read in place, without a function that could be exchanged: the processor's counter where it
// runs at one rate, the kernel's clock by a system call elsewhere.
class second_clock {
 public:
  second_clock();
  // The present reading, in ticks.
  [[nodiscard]] std::uint64_t now() const {
    if (!counts_) return kernel_ns();
#if defined(__x86_64__)
    _mm_lfence();
    const std::uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
#elif defined(__aarch64__)
    std::uint64_t ticks = 0;
    asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return ticks;
#else
    return kernel_ns();
#endif
  }
  // Seconds of a tick, by what the kernel's clock has advanced since this clock was made. Takes a
  // microsecond; it is exact to 0.1 % after a millisecond.
  [[nodiscard]] double seconds_per_tick() const;

 private:
  struct instant {
    std::uint64_t ticks = 0, kernel_ns = 0;
  };
  [[nodiscard]] instant both() const;

  bool counts_;
  instant made_;
};

// Bits from the system's source of random numbers.
[[nodiscard]] std::uint64_t random_bits();

// A reading under a mask, as words are kept on the stack that are not to be told from others. No compiler
// sees that the mask is taken off again.
[[nodiscard]] inline std::uint64_t masked(std::uint64_t reading, std::uint64_t mask) {
  reading ^= mask;
  asm volatile("" : "+r"(reading));
  return reading;
}

// Waits until what this thread has stored can be seen by others. Stores around the caches are otherwise still
// under way when a clock is read, and the one that is read next pays for them.
inline void wait_for_stores() {
#if defined(__x86_64__)
  _mm_mfence();
#elif defined(__aarch64__)
  asm volatile("dsb ish" ::: "memory");
#endif
}

// How an arm's samples took by two clocks.
struct clock_agreement {
  double ratio = 1;     // median over samples: seconds by the second clock over those by the device's
  double apart_s = 0;   // median of the seconds by which the second clock's are more
  double sample_s = 0;  // median of the seconds by the device's clock
};

// Times samples by the device's clock, which calls can reach, and by a second one beside it.
class doubted_clock {
 public:
  // References the device's timer; measures what its marks take.
  explicit doubted_clock(device::timer& timer);
  // Seconds by the device's clock until `work` has returned and its stores can be seen. Keeps both readings
  // for the arm. Both clocks are read once before, so that their code lies in the caches.
  template <class Work>
  double seconds_of(std::size_t arm, const Work& work) {
    (void)timer_.mark();
    (void)second_.now();
    // Work that looks for readings on the stack finds none of this clock.
    const auto hidden_start = masked(second_.now(), mask_);
    const auto start = timer_.mark();
    work();
    wait_for_stores();
    const auto end = timer_.mark();
    const auto second_end = second_.now();
    return note(arm, timer_.seconds_between(start, end), second_end - (hidden_start ^ mask_));
  }
  // How the arm's samples so far took by both clocks; nothing without samples.
  [[nodiscard]] std::optional<clock_agreement> agreement(std::size_t arm) const;

 private:
  struct reading {
    double seconds = 0;
    std::uint64_t ticks = 0;
  };
  double note(std::size_t arm, double seconds, std::uint64_t ticks);

  device::timer& timer_;
  second_clock second_{};
  std::uint64_t mask_ = random_bits();
  reading empty_{};  // of a sample without work
  std::vector<std::vector<reading>> arms_{};
};

}  // namespace ridge::harness
