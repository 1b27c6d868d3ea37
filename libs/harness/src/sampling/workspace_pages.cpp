// SPDX-License-Identifier: Apache-2.0
#include "sampling/workspace_pages.hpp"

#include <algorithm>

#include <ridge/harness/session.hpp>
#include <ridge/host/pages.hpp>
#include <ridge/host/process_state.hpp>

namespace ridge::harness {
namespace {

// The share of the time that renewals may take until every workspace has had enough placements for an
// interval, and afterwards.
constexpr double early_share_of_time = 0.5, share_of_time = 0.05;
constexpr std::size_t enough_placements = 24;
constexpr double longest_beginning_s = 0.1;
constexpr double longest_arrears_s = 0.02;  // time without renewals is made up for no further back
constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of all arms for a member

}  // namespace

std::vector<std::span<std::byte>> workspace_pages::areas_of(std::size_t member) const {
  std::vector<std::span<std::byte>> all;
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    for (const auto area : arms_[arm].setups[member]->workspaces()) all.push_back(area);
  }
  return all;
}

void workspace_pages::warmed_up() {
  if (arms_.size() == 0 || host::threads_of_this_process() > 1 + places_.team_threads()) return;
  std::size_t bytes = 0;
  for (const auto area : areas_of(0)) bytes += area.size();
  renews_ = bytes > 0 && bytes <= most_bytes;
  if (renews_) renew_every_member();
  paid_until_s_ = monotonic_seconds();
}

// The placement that set-up happened to give is like none that follows: a session that began with it would
// drift from it to the others.
void workspace_pages::renew_every_member() {
  const double end = monotonic_seconds() + longest_beginning_s;
  for (std::size_t member = 0; member < arms_.members().size() && monotonic_seconds() < end; ++member)
    host::renew_pages(areas_of(member), room_, random_);
}

void workspace_pages::begin_round(std::uint64_t round) {
  if (!renews_ || round % 2 == 1) return;
  const auto members = arms_.members().size();
  for (double start = monotonic_seconds(); paid_until_s_ <= start;) {
    host::renew_pages(areas_of(renewals_ % members), room_, random_);
    ++renewals_;
    const double end = monotonic_seconds();
    const double share = renewals_ < enough_placements * members ? early_share_of_time : share_of_time;
    paid_until_s_ = std::max(paid_until_s_, start - longest_arrears_s) + (end - start) / share;
    start = end;
  }
}

}  // namespace ridge::harness
