// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/metric.hpp>
#include <ridge/harness/mode.hpp>

#include "sampling/bound_arms.hpp"
#include "sampling/event_clock.hpp"
#include "sampling/second_clock.hpp"
#include "verify/call_effects.hpp"
#include "verify/round_results.hpp"

namespace ridge::harness {

// The calls of one sample, timed.
struct timed_calls {
  double seconds = 0;            // all calls together
  double hz = 0;                 // clock frequency of the device during the sample; 0: not known
  std::vector<double> each_s{};  // seconds of each call, in mode::host_latency
  double cpu_s = 0;              // processor time of the calling thread; 0: it was not read
};

// How blocks of samples went that were enqueued without a wait between them.
struct block_notes {
  std::vector<double> host_s{};  // host time of each sample, its calls left out
  double most_of_wall = 0;       // the largest share of a block's wall time that its events add up to
  std::size_t most_samples = 0;  // the most samples in one block
};

// One stretch of work by two clocks of the device: its events minus an empty pair, and its real-time clock
// minus the time of an empty stretch.
struct two_clocks {
  double events_s = 0, timer_s = 0;
};

// What differs between ways of sampling, as plain values.
struct sampling_facts {
  tick_source clock{};                    // that calls read
  std::vector<metric> further_metrics{};  // beside the experiment's
  event_clock events{};                   // of the marks; all 0 where they cost nothing
  bool on_this_thread = false;  // bodies run as they are called: what disturbs this thread disturbs them
  std::optional<std::uint64_t> most_calls{};  // of one sample, where a queue bounds them
};

// Receives a sample of a block: its turn, its calls, and its results, by member of the round that was called.
using settled_sample = std::function<void(const turn&, const timed_calls&, sample_results)>;

// Single calls on data that no call before has seen, taken between the samples of an arm, beside the calls of
// those samples.
struct fresh_calls {
  std::vector<double> fresh_s{};   // seconds of each
  std::vector<double> in_row_s{};  // seconds of a call in the arm's sample of the same round
  std::string wrong{};             // why the results of one were wrong; empty: none were
};

// Work that still ran, on any stream, after samples had ended.
struct work_left {
  std::uint64_t looked = 0;  // number of times that somebody looked
  std::uint64_t found = 0;   // of these, such with work that ran on for longer than waiting takes
  double most_s = 0;         // the longest of it
};

// How samples of a family's arms are taken on one kind of device. Every function leaves the device idle
// unless it throws: a queue that is held then goes on when its time-out ends.
class sampler {
 public:
  virtual ~sampler() = default;
  [[nodiscard]] virtual const sampling_facts& facts() const = 0;

  // One sample of n calls: prepares untimed, times the calls, waits for them.
  [[nodiscard]] virtual timed_calls take(std::size_t arm, std::uint64_t n) = 0;
  // The same with something done right before and after its calls; its seconds. Bug: another mode than
  // mode::cold.
  [[nodiscard]] virtual double take_between(std::size_t arm, std::uint64_t n,
                                            const std::function<void()>& before,
                                            const std::function<void()>& after) = 0;
  // One untimed call on the first member of the round, prepared as for a sample.
  virtual void call_once(std::size_t arm) = 0;
  // Takes samples of as many of the first turns as can go without a wait between them, where asked with their
  // outputs. Returns how many; 0 where the first turn has to be taken alone.
  [[nodiscard]] virtual std::size_t take_block([[maybe_unused]] std::span<const turn> turns,
                                               [[maybe_unused]] bool with_outputs,
                                               [[maybe_unused]] const settled_sample& settled) {
    return 0;
  }
  // Takes one single call of the arm on fresh data, beside calls in a row of `in_row_s` seconds each; nothing
  // where calls are not enqueued, or no other data are there.
  virtual void take_fresh_call([[maybe_unused]] std::size_t arm, [[maybe_unused]] double in_row_s) {}
  // What was seen of an arm beside its samples, and after samples that were taken alone; nothing where nobody
  // looked.
  [[nodiscard]] virtual fresh_calls fresh_calls_of([[maybe_unused]] std::size_t arm) const { return {}; }
  [[nodiscard]] virtual work_left work_left_by([[maybe_unused]] std::size_t arm) const { return {}; }
  // The same after blocks, where several arms may have left it.
  [[nodiscard]] virtual work_left work_left_by_blocks() const { return {}; }
  // The first change of a setting of the device that was seen between samples; empty: none was.
  [[nodiscard]] virtual std::string tampering() const { return {}; }
  // How samples are taken from now on; cold before. Only mode::cold exists where bodies run as they are
  // called.
  virtual void set_mode([[maybe_unused]] mode chosen) {}
  // Why the arm's calls cannot be recorded for mode::graph; empty where they can be, or were not tried.
  [[nodiscard]] virtual std::string not_recordable([[maybe_unused]] std::size_t arm) const { return {}; }
  // How blocks went since the last call of forget_blocks.
  [[nodiscard]] virtual block_notes blocks() const { return {}; }
  virtual void forget_blocks() {}
  // How the arm's samples took by a clock beside the device's; nothing where no such clock is read.
  [[nodiscard]] virtual std::optional<clock_agreement> clocks_of([[maybe_unused]] std::size_t arm) const {
    return {};
  }
  // One untimed call by two clocks; nothing where the arm cannot be held, or there are not two clocks.
  [[nodiscard]] virtual std::optional<two_clocks> by_two_clocks([[maybe_unused]] std::size_t arm) {
    return {};
  }
};

// The sampler for a device: bodies run as they are called on a host, and are enqueued elsewhere. References
// its arguments; arms may be added later. Effects of calls on this process are watched where bodies run in it
// as they are called.
[[nodiscard]] std::unique_ptr<sampler> make_sampler(device::device& device, bound_arms& arms,
                                                    call_effects& effects);

// Size of the cache that the arrays of a small problem stay in while bodies run on this device.
[[nodiscard]] std::size_t near_cache_bytes(const device::device& device);

}  // namespace ridge::harness
