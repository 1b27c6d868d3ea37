// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/compare_outputs.hpp"
#include "data/fingerprint.hpp"
#include "plan/affinity_plan.hpp"
#include "sampling/round_members.hpp"

namespace ridge::harness {

// One variant of the family, bound to every member of its ring.
struct bound_arm {
  std::size_t variant = 0;
  device::placement placement{device::placement::ordinary};
  bool stages = false;
  int threads = 1;
  std::unique_ptr<device::queue_set> queues;
  call context;
  std::vector<std::unique_ptr<setup>> setups{};  // by member
  std::vector<std::unique_ptr<bound_body>> bodies{};
  std::vector<double> stage_s{};       // seconds of each staging in a session, per member
  std::vector<double> stage_anew_s{};  // the same on data of which all were drawn anew
  double setup_s = 0;                  // seconds of the untimed part, per member
  double bound_bytes = 0;  // memory that the untimed part took for the first member, where it is watched
};

// The arms of a family with what they need to be called. References all that it is made from.
class bound_arms {
 public:
  bound_arms(const experiment::definition& definition, const problem& p, device::device& device,
             round_members& members, affinity_plan& places);

  // Notes from now on what memory untimed parts take of this process.
  void watch_memory() { watches_memory_ = true; }
  // Runs the variant's untimed part on every member, while the arrays hold poison. Its calls read `clock`.
  void add(std::size_t variant, tick_source clock);
  [[nodiscard]] std::size_t size() const { return arms_.size(); }
  [[nodiscard]] const bound_arm& operator[](std::size_t arm) const { return arms_[arm]; }

  // Runs the conversion of inputs on the members of the round: of one arm, where it has one; and of every
  // arm, noting the seconds.
  void stage(std::size_t arm);
  void stage_round();
  // The same on data of which all were drawn anew.
  void stage_anew();
  // Makes the arm's members of the round as they were before the first call.
  void clean(std::size_t arm) { members_.clean(arms_[arm].placement); }
  // Forgets what the last sample's calls reported, and places the thread for the arm.
  void make_ready(std::size_t arm);
  // Calls the arm's body n times in all, shared out over the members of the round. This is what is timed.
  void call_bodies(std::size_t arm, std::uint64_t n) {
    auto& a = arms_[arm];
    const auto used = members_.used(), first = members_.first();
    const auto share = n / used, rest = n % used;
    for (std::size_t i = 0; i < used; ++i) {
      const auto calls = share + (i < rest ? 1 : 0);
      if (calls > 0) a.bodies[first + i]->run(a.context, calls);
    }
  }
  // One call on the first member of the round.
  void call_first(std::size_t arm) { arms_[arm].bodies[members_.first()]->run(arms_[arm].context, 1); }

  // The results of the n calls on the members of the round that were called: their fingerprints as they are
  // now, whole or of pieces; copies of them, into memory that is used again; the fingerprints enqueued; and
  // those that were enqueued, as they come next in `results`.
  [[nodiscard]] std::vector<fingerprint> prints(std::size_t arm, std::uint64_t n,
                                                std::optional<std::uint64_t> pieces_key = {});
  void copy_outputs(std::size_t arm, std::uint64_t n, std::optional<std::uint64_t> pieces_key,
                    std::vector<result_bytes>& copies);
  void enqueue_prints(std::size_t arm, std::uint64_t n);
  // The members that n calls of the arm work on.
  [[nodiscard]] std::span<keyed_member> called_members(std::size_t arm, std::uint64_t n);
  [[nodiscard]] std::vector<fingerprint> next_prints(std::size_t arm, std::uint64_t n,
                                                     taken_results& results);

  [[nodiscard]] tolerance within(std::size_t arm) const;
  [[nodiscard]] const round_members& members() const { return members_; }
  [[nodiscard]] round_members& members() { return members_; }
  // Whether the experiment lists phases or observables, which calls report one by one.
  [[nodiscard]] bool report_each_call() const {
    return !definition_.phases.empty() || !definition_.observed.empty();
  }
  // Whether every arm has one thread.
  [[nodiscard]] bool single_threaded() const;

 private:
  [[nodiscard]] double timed_stage(std::size_t arm);

  const experiment::definition& definition_;
  const problem& problem_;
  device::device& device_;
  round_members& members_;
  affinity_plan& places_;
  bool watches_memory_ = false;
  bool exact_ = true;  // whether results are compared by their bits
  std::vector<bound_arm> arms_{};
};

}  // namespace ridge::harness
