// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/harness/mode.hpp>
#include <ridge/measure/interference.hpp>

#include "affinity_plan.hpp"
#include "ceiling_watch.hpp"
#include "event_clock.hpp"
#include "fingerprint.hpp"
#include "keyed_member.hpp"
#include "machine_log.hpp"
#include "rotation.hpp"
#include "round_results.hpp"
#include "sample_readings.hpp"

namespace ridge::harness {

// The members every arm of a family works on, one ring per placement that its variants ask for (decision
// 0020).
using rings = std::map<device::placement, std::vector<keyed_member>>;

// How many members a ring needs: three, more where cold data are wanted or placement is the question, at most
// 40 % of the memory; one at least.
[[nodiscard]] std::size_t ring_size(const experiment::definition& definition, std::size_t member_bytes,
                                    bool one_placement, const device::device& device);

// One variant of the family, bound to every member of its ring.
struct bound_arm {
  std::size_t variant = 0;
  int threads = 1;
  std::unique_ptr<device::queue_set> queues;
  call context;
  std::vector<std::unique_ptr<setup>> setups{};  // by member
  std::vector<std::unique_ptr<bound_body>> bodies{};
  double stage_s = 0;  // the last staging
  double setup_s = 0;
  bool holds = true;     // its calls can be enqueued behind a stop
  double enqueue_s = 0;  // the host's time for enqueueing one call
  // Calls recorded for mode::graph, by the first member and their number; why there are none, in words.
  std::map<std::pair<std::size_t, std::uint64_t>, std::unique_ptr<device::recorded>> recordings{};
  std::string not_recordable{};
};

// How blocks of samples went that were enqueued without a wait between them.
struct block_notes {
  std::vector<double> host_s{};  // of each sample: enqueueing all around its calls
  double most_of_wall = 0;       // the largest share of a block's wall time that its events add up to
  std::size_t most_samples = 0;  // in one block
};

// One stretch of work by two clocks of the device: its events less an empty pair, and its real-time clock
// less what an empty stretch takes there.
struct two_clocks {
  double events_s = 0, timer_s = 0;
};

// A sample that was enqueued and not waited for.
struct queued_sample {
  turn of{};
  device::timestamp start{}, end{};
  double host_s = 0;
};

// The arms of one family as the paired protocol sees them: re-keys before a round, poisons and restores
// before a sample, times n calls, fingerprints the results after it and compares the arms of a round with
// each other.
class family_arms final : public contestants {
 public:
  family_arms(const experiment::definition& definition, const problem& p, const instruments& equipment,
              rings& members, affinity_plan& places);
  family_arms(const family_arms&) = delete;
  family_arms& operator=(const family_arms&) = delete;

  // Runs the variant's untimed part on every member, while the arrays hold poison.
  void add(std::size_t variant);
  void set_fixed(std::size_t arm, std::size_t metric, double value) {
    readings_.set_fixed(arm, metric, value);
  }
  // The ceiling that limits the arm is read between its samples.
  void watch_ceiling(std::size_t arm, std::string id);
  // Draws all data anew; after the last `add` and before anything is run.
  void fill(std::uint64_t seed);

  [[nodiscard]] std::size_t arms() const override { return arms_.size(); }
  // The experiment's metrics; on a GPU also the cycles of a call.
  [[nodiscard]] const std::vector<metric>& metric_list() const { return readings_.metrics(); }
  [[nodiscard]] std::size_t metrics() const override { return readings_.metrics().size(); }
  [[nodiscard]] bool may_loop() const override { return loops_; }
  void begin_round(std::uint64_t round) override;
  [[nodiscard]] sample run(std::size_t arm, std::uint64_t n) override;
  // On a GPU whole blocks of them are enqueued behind one stop.
  void run_turns(std::span<const turn> turns, const std::function<void(const sample&)>& taken) override;
  [[nodiscard]] bool end_round(std::uint64_t round) override;
  void warmed_up() override;

  // How samples are taken from now on; cold before.
  void set_mode(mode chosen) { mode_ = chosen; }
  // Seconds of each call in mode::host_latency since its arm was warm.
  [[nodiscard]] const std::vector<double>& latencies(std::size_t arm) const {
    return readings_.latencies(arm);
  }
  // The first round since the last time whose results differed from the baseline's, in words.
  [[nodiscard]] std::string take_disagreement(std::size_t arm) { return results_.take_disagreement(arm); }
  [[nodiscard]] const std::string& disagreement_of(std::size_t arm) const {
    return results_.disagreement_of(arm);
  }
  [[nodiscard]] const event_clock& events() const { return events_; }
  [[nodiscard]] const block_notes& blocks() const { return blocks_; }
  // One untimed call by two clocks; nothing where the arm cannot be held.
  [[nodiscard]] std::optional<two_clocks> by_two_clocks(std::size_t arm);

  [[nodiscard]] const bound_arm& arm(std::size_t index) const { return arms_[index]; }
  [[nodiscard]] const std::vector<kept_round>& kept() const { return results_.kept(); }
  // One untimed call on one member whose data are already there; its fingerprint.
  [[nodiscard]] fingerprint run_once(std::size_t arm, std::size_t member);
  // A sample with something done right before and after its body; its seconds.
  double run_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                     const std::function<void()>& after);
  [[nodiscard]] keyed_member& member(std::size_t arm, std::size_t index);
  [[nodiscard]] const std::vector<double>& phases(std::size_t arm, std::size_t phase) const {
    return readings_.phases(arm, phase);
  }
  [[nodiscard]] const std::vector<double>& observed(std::size_t arm, std::size_t id) const {
    return readings_.observed(arm, id);
  }
  // The arm's ceiling as it stood beside its samples; its rate is 0 where it was not read often enough.
  [[nodiscard]] ceiling_reading ceiling(std::size_t arm) const { return ceilings_.reading(arm); }
  // What was written outside the arrays while they were timed, or changed of the device, in words; empty when
  // nothing was.
  [[nodiscard]] std::string damage() const;
  // The GPU after its rounds, read every twentieth of a second at most.
  [[nodiscard]] const std::vector<measure::gpu_state>& gpu_states() const { return machine_.gpu_states(); }
  // Everything seen of the machine over all rounds so far.
  [[nodiscard]] const measure::interference& disturbance() const { return machine_.disturbance(); }

 private:
  void rekey_round();
  void stage_round();
  void make_clean(bound_arm& a);
  void prepare(bound_arm& a);
  void call_bodies(bound_arm& a, std::uint64_t n);
  void record_calls(bound_arm& a, std::uint64_t n);
  void enqueue_calls(bound_arm& a, std::uint64_t n);
  double timed_calls(bound_arm& a, std::uint64_t n);
  double waited_calls(std::size_t arm, std::uint64_t n);
  [[nodiscard]] double net_seconds(device::timestamp start, device::timestamp end) const;
  [[nodiscard]] double last_hz();
  [[nodiscard]] bool can_queue(const bound_arm& a) const;
  [[nodiscard]] std::size_t block_at_front(std::span<const turn> turns) const;
  [[nodiscard]] queued_sample enqueue_sample(const turn& asked);
  [[nodiscard]] sample settle(const queued_sample& queued, double hz, taken_results& results);
  [[nodiscard]] bool run_block(std::span<const turn> turns, const std::function<void(const sample&)>& taken);
  [[nodiscard]] sample note(std::size_t arm, std::uint64_t n, double seconds, double hz);
  [[nodiscard]] std::vector<fingerprint> prints_of(std::size_t arm);
  [[nodiscard]] double timer_span_s(bound_arm& a, std::uint64_t n, double& events_s);
  [[nodiscard]] std::vector<keyed_member>& ring_of(const bound_arm& a);

  const experiment::definition& definition_;
  const problem& problem_;
  const instruments& equipment_;
  rings& rings_;
  affinity_plan& places_;
  mode mode_{mode::cold};
  event_clock events_{};
  bool queues_ = false;  // whole blocks can be enqueued: nothing of a sample is the host's
  double block_s_;       // of enqueueing, at most
  block_notes blocks_{};
  bool loops_ = true;
  bool exact_ = true;
  std::size_t members_ = 0;
  std::vector<bound_arm> arms_;
  tick_source ticks_;
  // Whether a sample cycles through the ring's members, since the whole ring fits the cache level that one
  // member would.
  bool near_ = false;

  std::size_t first_ = 0, used_ = 1;  // members of this round
  std::uint64_t seed_ = 1;
  double whole_s_ = 0;  // cost of drawing one member anew
  double last_round_s_ = 0, round_start_s_ = 0;
  round_results results_;
  sample_readings readings_;
  machine_log machine_;
  ceiling_watch ceilings_;
};

}  // namespace ridge::harness
