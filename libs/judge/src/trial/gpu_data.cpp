// SPDX-License-Identifier: Apache-2.0
#include "trial/gpu_data.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include <ridge/device/guard_zone.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/stats/quantile.hpp>

#include "exchange/layout.hpp"
#include "trial/agreement.hpp"

namespace ridge::judge {
namespace {

constexpr std::size_t most_compared = std::size_t{16} << 20;  // bytes of inexact results of one arm
constexpr std::size_t digests_at_a_time = 8192;
constexpr auto pause_between_readings = std::chrono::microseconds(300);

}  // namespace

gpu_data::gpu_data(const assignment& given, harness::judged_data& source, const experiment& entry,
                   const problem& p, device::device& gpu)
    : trial_data(given, source),
      entry_(entry),
      problem_(p),
      gpu_(gpu),
      inputs_(gpu.share(given.input_bytes)),
      outputs_(gpu.share(given.output_bytes)),
      arrays_(gpu, given, inputs_->bytes(), outputs_->bytes(), more_arrays::own),
      lots_(std::random_device{}()) {
  for (auto& copy : copies_) copy = gpu_.allocate({.bytes = given.output_bytes});
  gpu_.poison(inputs_->bytes());
  gpu_.poison(outputs_->bytes());
  paint();
  gpu_.synchronize();
}

// Paints every guard by a copy of one.
void gpu_data::paint() {
  std::array<std::byte, guard_bytes> pattern{};
  device::paint(pattern);
  guard_ = gpu_.allocate({.bytes = guard_bytes});
  gpu_.copy_from_host(guard_->bytes(), pattern);
  guard_digest_ = gpu_.digest(guard_->bytes());
  each_guard(layout(), outputs_->bytes(), [&](std::size_t, const array_place&, auto before, auto after) {
    gpu_.copy(before, guard_->bytes());
    gpu_.copy(after, guard_->bytes());
    return true;
  });
}

void gpu_data::draw(std::size_t member) {
  while (members_.size() <= member) {
    arrays_.begin_member(members_.size());
    members_.push_back(std::make_unique<harness::drawn_member>(entry_, problem_, arrays_, "/tmp"));
  }
  members_[member]->draw(key_of(member));
}

void gpu_data::poison(std::size_t count) {
  for (std::size_t member = 0; member < count; ++member) members_[member]->reset();
  gpu_.synchronize();
}

// Also the digest that the inputs must have after the sample.
void gpu_data::read_inputs(std::size_t count) {
  inputs_digest_ = gpu_.digest(inputs_->bytes().first(count * layout().input_stride));
}

std::string gpu_data::take(std::size_t arm, std::size_t count) {
  const auto written = outputs_->bytes().first(count * layout().output_stride);
  const double begun = harness::monotonic_seconds();
  digests_[arm] = gpu_.digest(written);
  readings_[arm].push_back(harness::monotonic_seconds() - begun);
  gpu_.copy(copies_[arm]->bytes().first(written.size()), written);
  gpu_.synchronize();
  std::this_thread::sleep_for(pause_between_readings);
  if (gpu_.digest(written) != digests_[arm])
    return "its results changed after its sample: work of it goes on when its calls are over";
  if (gpu_.digest(inputs_->bytes().first(count * layout().input_stride)) != inputs_digest_)
    return "it changed its inputs";
  return {};
}

std::vector<std::uint64_t> gpu_data::digests_of(std::span<const std::span<std::byte>> ranges) {
  std::vector<std::uint64_t> all;
  all.reserve(ranges.size());
  for (auto left = ranges; !left.empty(); left = left.subspan(std::min(digests_at_a_time, left.size()))) {
    for (const auto range : left.first(std::min(digests_at_a_time, left.size()))) gpu_.enqueue_digest(range);
    std::ranges::copy(gpu_.take_digests(), std::back_inserter(all));
  }
  return all;
}

// The members whose results differ between the arms in a bit.
std::vector<std::size_t> gpu_data::differing(std::size_t count) {
  const auto stride = layout().output_stride;
  std::vector<std::span<std::byte>> results;  // of a member by both arms, then of the next
  for (std::size_t member = 0; member < count; ++member) {
    for (const auto& copy : copies_) results.push_back(copy->bytes().subspan(member * stride, stride));
  }
  const auto digests = digests_of(results);
  std::vector<std::size_t> found;
  for (std::size_t member = 0; member < count; ++member) {
    if (digests[2 * member] != digests[2 * member + 1]) found.push_back(member);
  }
  return found;
}

std::string gpu_data::disagreement_of(std::size_t member, tolerance within) {
  const auto candidates = taken(candidate_arm, member), baselines = taken(baseline_arm, member);
  return member_disagreement(layout(), member, candidates, baselines, within);
}

std::string gpu_data::disagreement(std::size_t count, tolerance within) {
  if (digests_[baseline_arm] == digests_[candidate_arm]) return {};
  auto members = differing(count);
  if (!within.exact()) std::ranges::shuffle(members, lots_);
  const auto most = std::max<std::size_t>(1, most_compared / layout().output_stride);
  if (!within.exact() && members.size() > most) members.resize(most);
  for (const auto member : members) {
    if (auto why = disagreement_of(member, within); !why.empty()) return why;
  }
  return {};
}

std::vector<std::byte> gpu_data::taken(std::size_t arm, std::size_t member) {
  const auto stride = layout().output_stride;
  std::vector<std::byte> copied(stride);
  gpu_.copy_to_host(copied, copies_[arm]->bytes().subspan(member * stride, stride));
  return copied;
}

std::string gpu_data::damage() {
  std::vector<std::span<std::byte>> guards;  // before an array and after it, then of the next
  std::vector<const array_place*> places;
  each_guard(layout(), outputs_->bytes(),
             [&](std::size_t, const array_place& place, auto before, auto after) {
               guards.insert(guards.end(), {before, after});
               places.push_back(&place);
               return true;
             });
  const auto digests = digests_of(guards);
  const auto damaged = std::ranges::find_if(digests, [&](auto digest) { return digest != guard_digest_; });
  if (damaged == digests.end()) return {};
  const auto array = static_cast<std::size_t>(damaged - digests.begin()) / 2;
  std::array<std::byte, guard_bytes> before{}, after{};
  gpu_.copy_to_host(before, guards[2 * array]);
  gpu_.copy_to_host(after, guards[2 * array + 1]);
  return fmt::format("{}: {}", text_of(places[array]->name), device::damage_text(before, after));
}

double gpu_data::reading_s(std::size_t arm) const {
  return readings_[arm].empty() ? 0 : stats::median(readings_[arm]);
}

}  // namespace ridge::judge
