// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/measure/interference.hpp>

#include "affinity_plan.hpp"
#include "ceiling_watch.hpp"
#include "fingerprint.hpp"
#include "keyed_member.hpp"
#include "rotation.hpp"

namespace ridge::harness {

// The members every arm of a family works on, one ring per placement that its variants ask for (DECISION 1).
using rings = std::map<device::placement, std::vector<keyed_member>>;

// How many members a ring needs: three, more where cold data are wanted or placement is the question, at most
// 40 % of the memory; one at least.
[[nodiscard]] std::size_t ring_size(const experiment::definition& of, std::size_t member_bytes,
                                    bool one_placement, const device::device& where);

// One variant of the family, bound to every member of its ring.
struct bound_arm {
  std::size_t variant = 0;
  int threads = 1;
  call context;
  std::vector<std::unique_ptr<setup>> setups{};  // by member
  std::vector<std::unique_ptr<bound_body>> bodies{};
  std::vector<double> fixed{};  // metrics that are no reading of a call (memory, error), by metric; NaN else
  double stage_s = 0;           // the last staging
  double setup_s = 0;
  bool holds = true;        // its calls can be enqueued behind a stop
  std::string disagrees{};  // the first round whose results differed from the baseline's, in words
};

// What was kept of a round drawn at random: which data it ran on and what each arm made of them.
struct kept_round {
  std::uint64_t round = 0;
  std::size_t first_member = 0;
  std::vector<key_state> data{};                             // of each member used
  std::map<std::size_t, std::vector<fingerprint>> by_arm{};  // of each member used
};

// The arms of one family as the paired protocol sees them: re-keys before a round, poisons and restores
// before a sample, times n calls, fingerprints the results after it and compares the arms of a round with
// each other.
class family_arms final : public contestants {
 public:
  family_arms(const experiment::definition& of, const problem& p, const instruments& with, rings& members,
              affinity_plan& places);

  // Runs the variant's untimed part on every member, while the arrays hold poison.
  void add(std::size_t variant);
  void set_fixed(std::size_t arm, std::size_t metric, double value) { arms_[arm].fixed[metric] = value; }
  // The ceiling that limits the arm is read between its samples.
  void watch_ceiling(std::size_t arm, std::string id);
  // Draws all data anew; after the last `add` and before anything is run.
  void fill(std::uint64_t seed);

  [[nodiscard]] std::size_t arms() const override { return arms_.size(); }
  [[nodiscard]] std::size_t metrics() const override { return of_.metrics.size(); }
  [[nodiscard]] bool may_loop() const override { return loops_; }
  void begin_round(std::uint64_t round) override;
  [[nodiscard]] sample run(std::size_t arm, std::uint64_t n) override;
  [[nodiscard]] bool end_round(std::uint64_t round) override;
  void warmed_up() override;

  [[nodiscard]] const bound_arm& arm(std::size_t index) const { return arms_[index]; }
  [[nodiscard]] const std::vector<kept_round>& kept() const { return kept_; }
  // One untimed call on one member whose data are already there; its fingerprint.
  [[nodiscard]] fingerprint run_once(std::size_t arm, std::size_t member);
  // A sample with something done right before and after its body; its seconds.
  double run_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                     const std::function<void()>& after);
  [[nodiscard]] keyed_member& member(std::size_t arm, std::size_t index);
  [[nodiscard]] const std::vector<double>& phases(std::size_t arm, std::size_t phase) const {
    return phases_[arm][phase];
  }
  [[nodiscard]] const std::vector<double>& observed(std::size_t arm, std::size_t id) const {
    return observed_[arm][id];
  }
  // The arm's ceiling as it stood beside its samples; 0 where it was not read often enough.
  [[nodiscard]] double ceiling_rate(std::size_t arm) const { return ceilings_.rate(arm); }
  // What was written outside the arrays while they were timed, in words; empty when nothing was.
  [[nodiscard]] std::string damage() const;
  // The GPU after its rounds, read every twentieth of a second at most.
  [[nodiscard]] const std::vector<measure::gpu_state>& gpu_states() const { return gpu_states_; }
  // Everything seen of the machine over all rounds so far.
  [[nodiscard]] const measure::interference& disturbance() const { return disturbance_; }

 private:
  void rekey_round();
  void stage_round();
  void prepare(bound_arm& a);
  void call_bodies(bound_arm& a, std::uint64_t n);
  double timed_calls(bound_arm& a, std::uint64_t n);
  void collect(std::size_t arm);
  void compare_arms(std::uint64_t round);
  void read_gpu();
  void add_disturbance(const measure::interference& seen);
  void keep(std::uint64_t round);
  [[nodiscard]] double read(const metric& m, std::size_t index, const bound_arm& a, double seconds,
                            double calls) const;
  [[nodiscard]] std::vector<keyed_member>& ring_of(const bound_arm& a);

  const experiment::definition& of_;
  const problem& at_;
  const instruments& with_;
  rings& rings_;
  affinity_plan& places_;
  ridge::work work_;
  bool loops_ = true;
  bool exact_ = true;
  std::size_t members_ = 0;
  std::vector<bound_arm> arms_;
  tick_source ticks_;
  // Short calls take turns over the ring inside a sample when all of it stays as near as one member would.
  bool near_ = false;

  std::size_t first_ = 0, used_ = 1;  // members of this round
  std::uint64_t seed_ = 1;
  double whole_s_ = 0;  // cost of drawing one member anew
  double last_round_s_ = 0, round_start_s_ = 0;
  std::vector<double> values_;
  std::map<std::size_t, std::vector<fingerprint>> prints_;  // of this round, by arm
  std::vector<kept_round> kept_;
  std::uint64_t rounds_seen_ = 0;
  order_generator lots_{0};
  std::vector<std::vector<std::vector<double>>> phases_;    // arm, phase, sample
  std::vector<std::vector<std::vector<double>>> observed_;  // arm, id, value
  measure::interference disturbance_;
  std::vector<measure::gpu_state> gpu_states_;
  double gpu_read_s_ = 0;
  ceiling_watch ceilings_;
};

}  // namespace ridge::harness
