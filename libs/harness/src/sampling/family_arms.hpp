// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/harness/session.hpp>

#include "plan/affinity_plan.hpp"
#include "sampling/bound_arms.hpp"
#include "sampling/ceiling_watch.hpp"
#include "sampling/machine_log.hpp"
#include "sampling/round_members.hpp"
#include "sampling/sample_readings.hpp"
#include "sampling/sampler.hpp"
#include "sampling/workspace_pages.hpp"
#include "verify/call_effects.hpp"
#include "verify/round_results.hpp"

namespace ridge::harness {

// The arms of one family as the paired protocol sees them. It passes each step on to the part that does it:
// data (round_members), bodies (bound_arms), time (sampler), metrics (sample_readings), agreement of results
// (round_results), the machine (machine_log) and ceilings (ceiling_watch). References its arguments.
class family_arms final : public contestants {
 public:
  family_arms(const experiment::definition& definition, const problem& p, const instruments& equipment,
              rings& all, affinity_plan& places);
  family_arms(const family_arms&) = delete;
  family_arms& operator=(const family_arms&) = delete;

  // Notes from now on what memory variants take of this process, which times them; before the first `add`.
  void watch_memory() {
    arms_.watch_memory();
    effects_.watch_memory();
  }
  // Adds the variant as the next arm; runs its untimed part on every member, while the arrays hold poison.
  void add(std::size_t variant);
  // Sets a metric of the arm that is no reading of a call, such as memory or error.
  void set_fixed(std::size_t arm, std::size_t metric, double value) {
    readings_.set_fixed(arm, metric, value);
  }
  // Reads the ceiling `id`, which limits the arm, between its samples from now on.
  void watch_ceiling(std::size_t arm, std::string id);
  // Draws all data anew; after the last `add` and before anything is run.
  void fill(std::uint64_t seed);

  [[nodiscard]] std::size_t arms() const override { return arms_.size(); }
  [[nodiscard]] std::size_t metrics() const override { return readings_.metrics().size(); }
  [[nodiscard]] bool may_loop() const override { return members_.may_loop(); }
  void begin_round(std::uint64_t round) override;
  [[nodiscard]] sample run(std::size_t arm, std::uint64_t n) override;
  void run_turns(std::span<const turn> turns, const std::function<void(const sample&)>& taken) override;
  [[nodiscard]] bool end_round(std::uint64_t round) override;
  void warmed_up() override;
  [[nodiscard]] bool stop_requested() const override;

  // Takes samples of so many calls, by arm, until each arm whose samples hold several has single calls on
  // fresh data beside enough of them.
  void complete_fresh_calls(const std::vector<arm_record>& arms);
  // Rounds beside those of the session, whose samples no record keeps: data are drawn as round_members does,
  // every arm may take samples on them, and at the end the last results of all arms are compared, under the
  // round's name.
  void begin_extra_round() { results_.begin_passing_round(); }
  void draw_anew(std::uint64_t key, std::size_t first_member, std::size_t members);
  void draw_again();
  void read_inputs() { members_.read_inputs(); }
  [[nodiscard]] timed_calls run_extra(std::size_t arm, std::uint64_t n);
  void end_extra_round(std::string_view name) { results_.end_passing_round(name); }
  [[nodiscard]] const round_members& members() const { return members_; }

  // Seconds that a call of each sample since the warm-up cost the arm: those of the sample, or of processor
  // time where that is less, so that what a busy machine took does not count.
  [[nodiscard]] const std::vector<double>& paid_s(std::size_t arm) const { return paid_s_[arm]; }
  // The same for one sample of n calls.
  [[nodiscard]] double paid_for(std::size_t arm, std::uint64_t n, const timed_calls& calls) const;

  // The experiment's metrics, and those that the way of sampling adds.
  [[nodiscard]] const std::vector<metric>& metric_list() const { return readings_.metrics(); }
  [[nodiscard]] const bound_arm& arm(std::size_t index) const { return arms_[index]; }
  // Member `index` of the arm's ring.
  [[nodiscard]] keyed_member& member(std::size_t arm, std::size_t index) {
    return members_.ring(arms_[arm].placement)[index];
  }
  // One untimed call on one member whose data are already there; its fingerprint, whole or of pieces.
  [[nodiscard]] fingerprint run_once(std::size_t arm, std::size_t member,
                                     std::optional<std::uint64_t> pieces_key = {});
  // The same, where the outputs hold old results in wrong places instead of poison.
  [[nodiscard]] fingerprint run_on_old_results(std::size_t arm, std::size_t member);
  // The arm's ceiling as it stood beside its samples; its rate is 0 where it was not read often enough.
  [[nodiscard]] ceiling_reading ceiling(std::size_t arm) const { return ceilings_.reading(arm); }
  // The arm's ceiling measured once more, on the threads of the arm; its rate is 0 where it cannot be.
  [[nodiscard]] ceiling_reading ceiling_again(std::size_t arm);
  // Bytes that the arm was seen to take of this process in its untimed part and its calls, for one member; 0
  // where memory is not watched.
  [[nodiscard]] double memory_bytes(std::size_t arm) const;
  // Describes what was written outside the arrays while they were timed, or changed of the device; empty when
  // nothing was.
  [[nodiscard]] std::string damage() const;

  // The parts, for those who read what they hold.
  [[nodiscard]] sampler& sampling() { return *sampler_; }
  [[nodiscard]] const sampler& sampling() const { return *sampler_; }
  [[nodiscard]] call_effects& effects() { return effects_; }
  [[nodiscard]] const call_effects& effects() const { return effects_; }
  [[nodiscard]] round_results& results() { return results_; }
  [[nodiscard]] const round_results& results() const { return results_; }
  [[nodiscard]] const sample_readings& readings() const { return readings_; }
  [[nodiscard]] const machine_log& machine() const { return machine_; }

 private:
  [[nodiscard]] std::size_t take_block(std::span<const turn> turns, const settled_sample& settled);
  // Chooses what is looked at of this round's results; nothing where they do not lie in host memory.
  [[nodiscard]] std::optional<std::uint64_t> pieces_of_round();
  [[nodiscard]] sample note(std::size_t arm, std::uint64_t n, const timed_calls& calls);

  device::device& device_;
  affinity_plan& places_;
  progress_mark* progress_;
  round_members members_;
  bound_arms arms_;
  workspace_pages workspace_pages_;
  call_effects effects_;
  std::unique_ptr<sampler> sampler_;
  round_results results_;
  bool rechecked_whole_;  // kept results are judged without an oracle's, which needs all of them
  sample_readings readings_;
  machine_log machine_;
  ceiling_watch ceilings_;
  std::vector<std::vector<double>> paid_s_{};  // by arm
};

}  // namespace ridge::harness
