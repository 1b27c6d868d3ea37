// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "run/family_state.hpp"
#include "sampling/family_arms.hpp"
#include "verify/lone_rounds.hpp"
#include "verify/untimed_pass.hpp"

namespace ridge::harness {

// The variants of a verified family that can be timed, bound as arms, with what the session needs beside
// them. References the family.
class timed_family {
 public:
  explicit timed_family(family_state& family);

  // Times every variant that can be timed in a process of its own; before the first `bind`, on a host.
  // Variants that go wrong there are refused.
  void time_alone();
  // Finds the side effects of all variants that can be timed; before the first `bind`, where what a variant
  // takes once is not taken yet. On a device other than a host it does nothing.
  void watch_unbound();
  // Binds the variant of a measurement as the next arm; it is skipped where its untimed part fails.
  void bind(std::size_t measurement);
  // Draws all data; after the last `bind`.
  void fill() { arms_.fill(family_.options.protocol.seed); }
  // Finds the side effects of every bound arm where watch_unbound() did not.
  void watch_bound();
  // Sets the metrics that follow from side effects and from verification.
  void set_fixed_metrics();
  // Reads the ceilings that limit the arms from now on.
  void watch_ceilings();

  [[nodiscard]] family_arms& arms() { return arms_; }
  // Index of each arm's measurement, and its side effects, by arm.
  [[nodiscard]] const std::vector<std::size_t>& measurement_of() const { return measurement_of_; }
  [[nodiscard]] const std::vector<side_effects>& effects() const { return effects_; }
  // What the variants took alone.
  [[nodiscard]] const lone_rounds& alone() const { return alone_; }
  [[nodiscard]] model::measurement& measurement(std::size_t arm) {
    return family_.result.measurements[measurement_of_[arm]];
  }
  // The orientation of each metric.
  [[nodiscard]] std::vector<model::better> better() const;
  // The protocol with a budget of `budget_s` and samples that this clock and this way of sampling allow.
  [[nodiscard]] protocol protocol_for(double budget_s) const;

 private:
  [[nodiscard]] side_effects watch(std::size_t variant, const keyed_member& member) const;
  family_state& family_;
  family_arms arms_;
  std::vector<std::size_t> measurement_of_{};
  std::vector<side_effects> effects_{};
  std::map<std::size_t, side_effects> unbound_{};  // by measurement
  lone_rounds alone_{.skipped = "calls are enqueued"};
};

}  // namespace ridge::harness
