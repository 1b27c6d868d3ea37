// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ridge/base/splitmix.hpp>

#include "plan/affinity_plan.hpp"
#include "sampling/bound_arms.hpp"

namespace ridge::harness {

// Gives the workspaces of a family's arms other physical pages between rounds. How fast a body runs depends
// on which sets of a physically indexed cache its pages share, and no process chooses its pages: without
// this, a session measures one placement, and its interval holds for that placement only. For arms that run
// on the host. References its arguments.
class workspace_pages {
 public:
  workspace_pages(const bound_arms& arms, const affinity_plan& places) : arms_(arms), places_(places) {}

  // Seeds the order in which pages are written.
  void seed(std::uint64_t seed) { random_ = splitmix_generator(seed); }
  // Begins to renew pages, unless a variant has started threads of its own, which may use its workspace at
  // any time, or there are no workspaces or too large ones.
  void warmed_up();
  // Renews the workspaces of some members before every other round, those of all arms together.
  void begin_round(std::uint64_t round);

 private:
  void renew_every_member();
  [[nodiscard]] std::vector<std::span<std::byte>> areas_of(std::size_t member) const;

  const bound_arms& arms_;
  const affinity_plan& places_;
  splitmix_generator random_{0};
  std::vector<std::byte> room_{};
  bool renews_ = false;
  std::size_t renewals_ = 0;  // of single members
  double paid_until_s_ = 0;   // from when on its share of the time allows another renewal
};

}  // namespace ridge::harness
