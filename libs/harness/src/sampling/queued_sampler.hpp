// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>

#include <ridge/base/splitmix.hpp>

#include "sampling/late_data.hpp"
#include "sampling/result_shelf.hpp"
#include "sampling/sampler.hpp"

namespace ridge::harness {

// Samples where bodies enqueue their work: caches evicted, clocks read beside each sample, the calls enqueued
// on a held queue between two events. Whole blocks of samples are enqueued without a wait, where nothing
// about a sample needs the host. Some of the data come last, right before the first event; behind some blocks
// each arm is called once more on data that it has not seen; and after samples the whole device must be idle.
class queued_sampler final : public sampler {
 public:
  // Measures the device's marks; nothing else may be enqueued.
  queued_sampler(device::device& device, bound_arms& arms);
  [[nodiscard]] const sampling_facts& facts() const override { return facts_; }
  [[nodiscard]] timed_calls take(std::size_t arm, std::uint64_t n) override;
  [[nodiscard]] double take_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                                    const std::function<void()>& after) override;
  void call_once(std::size_t arm) override;
  [[nodiscard]] std::size_t take_block(std::span<const turn> turns, bool with_outputs,
                                       const settled_sample& settled) override;
  void take_fresh_call(std::size_t arm, double in_row_s) override;
  [[nodiscard]] fresh_calls fresh_calls_of(std::size_t arm) const override;
  [[nodiscard]] work_left work_left_by(std::size_t arm) const override;
  [[nodiscard]] work_left work_left_by_blocks() const override { return left_by_blocks_; }
  [[nodiscard]] std::string tampering() const override { return tampered_; }
  void set_mode(mode chosen) override { mode_ = chosen; }
  [[nodiscard]] std::string not_recordable(std::size_t arm) const override;
  [[nodiscard]] block_notes blocks() const override { return blocks_; }
  void forget_blocks() override { blocks_ = {}; }
  [[nodiscard]] std::optional<two_clocks> by_two_clocks(std::size_t arm) override;

 private:
  // What is known of an arm's calls in the queue.
  struct queued_arm {
    bool holds = true;     // its calls can be enqueued on a held queue
    double enqueue_s = 0;  // host time for enqueueing one call
    // Calls recorded for mode::graph, by first member and number of calls; why there are none.
    std::map<std::pair<std::size_t, std::uint64_t>, std::unique_ptr<device::recorded>> recordings{};
    std::string not_recordable{};
    fresh_calls fresh{};
    work_left left{};
  };
  // A sample that was enqueued and not waited for.
  struct queued_sample {
    harness::turn turn{};
    device::timestamp start{}, end{};
    double host_s = 0;
    std::vector<fingerprint> prints{};  // once the queue is done
  };

  [[nodiscard]] queued_arm& queued(std::size_t arm);
  void prepare(std::size_t arm);
  void record_calls(std::size_t arm, std::uint64_t n);
  void enqueue_calls(std::size_t arm, std::uint64_t n);
  [[nodiscard]] double seconds_of(std::size_t arm, std::uint64_t n);
  [[nodiscard]] timed_calls waited_calls(std::size_t arm, std::uint64_t n);
  [[nodiscard]] double net_seconds(device::timestamp start, device::timestamp end) const;
  [[nodiscard]] double last_hz();
  [[nodiscard]] bool can_queue(std::size_t arm);
  [[nodiscard]] std::size_t block_at_front(std::span<const turn> turns);
  [[nodiscard]] bool room_for_outputs(std::span<const turn> turns);
  [[nodiscard]] queued_sample enqueue_sample(const turn& next);
  [[nodiscard]] queued_sample enqueue_fresh_call(std::size_t arm);
  [[nodiscard]] std::optional<double> single_fresh_call(std::size_t arm);
  void note_fresh_call(std::size_t arm, double fresh_s, double in_row_s);
  [[nodiscard]] std::vector<std::size_t> draw_fresh_calls(std::span<const turn> turns);
  [[nodiscard]] bool run_block(std::span<const turn> turns, bool with_outputs, const settled_sample& settled);
  void note_fresh_calls(const std::vector<queued_sample>& fresh, const std::vector<queued_sample>& samples);
  [[nodiscard]] double idle_wait_s(double slept_s);
  void look_around(work_left& left, double seconds_waited);
  [[nodiscard]] double timer_span_s(std::size_t arm, std::uint64_t n, double& events_s);

  device::device& device_;
  bound_arms& arms_;
  sampling_facts facts_;
  mode mode_{mode::cold};
  bool blocks_possible_;  // nothing about a sample needs the host
  double block_s_;        // the most host time that a block may take to enqueue
  block_notes blocks_{};
  std::vector<queued_arm> queued_{};
  late_data late_;
  result_shelf shelf_;
  splitmix_generator lots_;
  work_left left_by_blocks_{};
  std::string tampered_{};
};

}  // namespace ridge::harness
