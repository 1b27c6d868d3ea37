// SPDX-License-Identifier: Apache-2.0
#include "bare_arms.hpp"

#include <utility>

#include <ridge/harness/session.hpp>

#include "surroundings.hpp"

namespace ridge::cheats {

bare_arms::bare_arms(const experiment& asked, const laboratory& here, std::uint64_t seed, std::size_t members)
    : asked_(asked), device_(*here.host), seed_(seed) {
  for (std::size_t made = 0; made < members; ++made) {
    memory arrays(device_, device::guard::red_zones, device::placement::ordinary, scratch_folder());
    members_.push_back(asked_->make(asked_.problems().front(), std::move(arrays)));
  }
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) bind(arm);
}

void bare_arms::bind(std::size_t arm) {
  auto& made = arms_[arm];
  const int threads = asked_->variants[arm].threads;
  if (threads > 1) made.team = std::make_unique<host::team>(host::team::of_cores(threads));
  const setup_resources resources{device_, nullptr, made.team.get(), threads};
  for (auto& member : members_) {
    made.setups.push_back(std::make_unique<setup>(resources));
    made.bodies.push_back(asked_->bind(arm, *member, *made.setups.back()));
  }
  constexpr std::uint64_t many = 1u << 20;
  const tick_source ticks{[](void* self) { return static_cast<device::device*>(self)->mark().ticks; },
                          &device_, device_.seconds_between({0}, {many}) / many};
  made.context = std::make_unique<call>(call_resources{.clock = ticks,
                                                       .team = made.team.get(),
                                                       .threads = threads,
                                                       .phases = asked_->phases,
                                                       .observed = asked_->observed});
}

void bare_arms::draw(std::size_t member, std::uint64_t draw) {
  for (const auto& a : members_[member]->memory.arrays()) {
    if (a.use == use::in || a.use == use::inout)
      device_.fill(a.bytes(), a.type, a.distribution, seed_ + 977 * draw, 0, a.count);
  }
}

void bare_arms::poison(std::size_t member) {
  for (const auto& a : members_[member]->memory.arrays()) {
    if (a.use == use::out) device_.poison(a.bytes());
  }
}

double bare_arms::seconds(std::size_t arm, std::size_t member, std::uint64_t calls) {
  auto& used = arms_[arm];
  asked_->stage(arm, *members_[member], *used.setups[member]);
  used.context->clear();
  clear_wide_registers();
  const auto start = harness::monotonic_seconds();
  used.bodies[member]->run(*used.context, calls);
  const auto end = harness::monotonic_seconds();
  for (const auto& a : members_[member]->memory.arrays()) {
    if (a.use == use::out) (void)device_.digest(a.bytes());
  }
  return end - start;
}

std::vector<std::vector<std::byte>> bare_arms::outputs(std::size_t member) const {
  std::vector<std::vector<std::byte>> copies;
  for (const auto& a : members_[member]->memory.arrays()) {
    if (a.use == use::out || a.use == use::inout) copies.emplace_back(a.bytes().begin(), a.bytes().end());
  }
  return copies;
}

}  // namespace ridge::cheats
