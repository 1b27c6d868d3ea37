// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/splitmix.hpp>
#include <ridge/host/cpu_time.hpp>
#include <ridge/host/process_state.hpp>
#include <ridge/host/resident_memory.hpp>

namespace ridge::harness {

// Watches what timed calls do to the process that times them, besides computing: what of its state they
// change, and processor time that they take on other threads. The state is read around samples drawn at
// random, at most 5 % of the time; processor time is read around every sample.
class call_effects {
 public:
  // Takes the state before any variant has run.
  call_effects();
  // Takes this for the state before any variant has run, where one of its process ran before the
  // construction.
  void begin_with(const host::process_state& state);
  // Seeds the draw of the samples.
  void seed(std::uint64_t seed);
  // The warm-up is over: what differs from now on, calls have changed. Compares with the state before any
  // variant ran all that neither set-up nor a library's first call has reason to change.
  void warmed_up();

  // Compares the state with that before any variant ran, all that neither set-up nor a library's first call
  // has reason to change: where calls are enqueued, whoever made them.
  void compare_with_start();

  // Notes from now on how much memory calls take that this process did not hold before.
  void watch_memory();
  // All variants are bound: what is open of files from now on, calls have opened.
  void bound();

  // Called right before and right after the timed calls of an arm's sample, which were made on so many
  // members; the latter returns the seconds of processor time that this thread took in between.
  void before_calls();
  double after_calls(std::size_t arm, std::size_t members);
  // Called right before and right after the harness reads the results of an arm's sample, which lie in
  // memory: only pages that were taken away, or put off, fault.
  void before_reading();
  void after_reading(std::size_t arm);
  // Page faults of a reading since the warm-up, on average.
  [[nodiscard]] double faults_of_reading(std::size_t arm) const;
  // Notes that calls, of this arm where it is known, changed which signals this thread holds.
  void note_signal_mask(std::optional<std::size_t> arm);
  // Compares the state with that after the warm-up, once all rounds are over.
  void conclude();

  // Describes what is not as it was, with the arm that changed it where that was seen; empty: all is as it
  // was.
  struct change {
    std::optional<std::size_t> arm{};
    std::string difference{};
  };
  [[nodiscard]] const std::optional<change>& first_change() const { return first_; }
  // Processor time of all other threads of the process during the arm's samples, over that of the thread that
  // makes the calls: neither counts the time that a busy machine lets them wait.
  [[nodiscard]] double other_cpu_share(std::size_t arm) const;
  // The most memory that calls of one sample of the arm were seen to take, for one member; exact to about 256
  // KiB, and 0 for less than that.
  [[nodiscard]] double memory_bytes(std::size_t arm) const;
  // The same between the samples, from the end of the warm-up to conclude(); 0 before conclude().
  [[nodiscard]] double other_cpu_share_between() const;

 private:
  void note_memory(std::size_t arm, std::size_t members);
  [[nodiscard]] static double share_of(const host::cpu_use& used);
  void note(std::optional<std::size_t> arm, const host::process_state& before,
            const host::process_state& after);

  host::process_state at_start_;
  std::optional<host::process_state> steady_{}, before_{};
  std::optional<change> first_{};
  std::vector<host::cpu_use> accounts_{};
  std::vector<double> memory_bytes_{};  // by arm, from the first call on
  struct fault_count {
    double faults = 0, readings = 0;
  };
  std::vector<fault_count> reading_faults_{};  // by arm
  long faults_before_ = 0;
  std::optional<std::vector<std::string>> files_{};
  std::vector<std::string> changed_code_{};  // before any variant ran: by a debugger
  bool watches_memory_ = false;
  std::size_t peak_before_ = 0;
  host::memory_of_process memory_before_{};  // of this process when it was last looked at
  splitmix_generator lots_{0};
  double read_s_ = 0, next_read_s_ = 0;
  host::cpu_use cpu_before_{};
  host::cpu_use at_warm_{}, whole_{};  // when the warm-up was over; from then to the end
};

}  // namespace ridge::harness
