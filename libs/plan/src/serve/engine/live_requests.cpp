// SPDX-License-Identifier: Apache-2.0
#include "live_requests.hpp"

#include <algorithm>

namespace ridge::plan::serve {

// With its row of the table and its place in the queue, a request takes less than 200 bytes.
static_assert(sizeof(live_request) <= 88);

std::uint32_t live_requests::claim(request_id request, bool local) {
  if (spare_slots_.empty()) {
    spare_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const auto slot = spare_slots_.back();
  spare_slots_.pop_back();
  auto& live = slots_[slot];
  live = {};
  live.id = request;
  live.is = phase::waiting;
  live.target = std::max(1U, context_->requests->input_tokens(request));
  live.local = local;
  if (context_->settings.role == engine_role::decode && !local) {
    live.generated = 1;
    ++live.target;
  }
  ++live_;
  return slot;
}

void live_requests::drop(std::uint32_t slot) {
  slots_[slot].is = phase::unused;
  spare_slots_.push_back(slot);
  --live_;
}

std::uint32_t live_requests::find(request_id request) const {
  const auto found = std::ranges::find_if(
      slots_, [&](const live_request& live) { return live.is != phase::unused && live.id == request; });
  return found == slots_.end() ? no_slot : static_cast<std::uint32_t>(found - slots_.begin());
}

std::vector<request_id> live_requests::ids() const {
  std::vector<request_id> all;
  for (const auto& live : slots_) {
    if (live.is != phase::unused) all.push_back(live.id);
  }
  std::ranges::sort(all);
  return all;
}

void live_requests::clear() {
  slots_.clear();
  spare_slots_.clear();
  prefilling_.clear();
  first_running_ = last_running_ = no_slot;
  running_ = live_ = batch_longest_ = 0;
  committed_blocks_ = 0;
  context_->adapters.clear();
}

void live_requests::append_running(std::uint32_t slot) {
  auto& live = slots_[slot];
  live.listed = true;
  live.before = last_running_;
  live.after = no_slot;
  (last_running_ == no_slot ? first_running_ : slots_[last_running_].after) = slot;
  last_running_ = slot;
  ++running_;
  committed_blocks_ += context_->blocks_for(context_->whole_tokens(live.id));
}

bool live_requests::use_adapter(std::uint32_t slot) {
  auto& live = slots_[slot];
  const auto adapter = context_->requests->adapter(live.id);
  live.adapted = adapter != 0;
  return live.adapted && context_->adapters.start(adapter);
}

void live_requests::remove_running(std::uint32_t slot) {
  auto& live = slots_[slot];
  if (live.adapted) context_->adapters.stop(context_->requests->adapter(live.id));
  live.adapted = false;
  if (!live.listed) return;
  live.listed = false;
  (live.before == no_slot ? first_running_ : slots_[live.before].after) = live.after;
  (live.after == no_slot ? last_running_ : slots_[live.after].before) = live.before;
  --running_;
  committed_blocks_ -= context_->blocks_for(context_->whole_tokens(live.id));
}

void live_requests::start_prefilling(std::uint32_t slot) {
  slots_[slot].is = phase::prefilling;
  prefilling_.push_back(slot);
}

}  // namespace ridge::plan::serve
