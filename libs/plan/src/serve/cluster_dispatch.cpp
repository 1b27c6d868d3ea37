// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "cluster_simulation.hpp"

namespace ridge::plan::serve {
namespace {

constexpr double usual_deadline_s = 1;

std::int64_t blocks_of(std::uint64_t tokens, std::uint32_t block_size) {
  return static_cast<std::int64_t>((tokens + block_size - 1) / block_size);
}

}  // namespace

bool cluster_simulation::any_up(std::uint32_t first, std::uint32_t count) const {
  return std::ranges::any_of(views_.begin() + first, views_.begin() + first + count, &replica_view::up);
}

double cluster_simulation::deadline_s(request_id r) const {
  const auto& one = asked_.requests[r];
  const auto& by = with_.deadline_s;
  return made_.requests[r].arrival_s + (one.tenant < by.size() ? by[one.tenant] : usual_deadline_s);
}

// Prompts already computed wait for decoders only.
void cluster_simulation::dispatch(request_id r) {
  if (prefilled_where_it_decodes(r)) return;
  if (!any_up(0, front_)) {
    homeless_.push_back(r);
    return;
  }
  if (with_.router.kind == router_kind::earliest_deadline) {
    held_.push({deadline_s(r), r});
    return;
  }
  const auto to = chosen(r, 0, front_);
  if (!admitted(r, to)) return give_up(r, outcome::rejected);
  submit(r, to);
}

// Dynamo's conditional disaggregation: what is short, less what the decoder has cached, is not worth a
// transfer.
bool cluster_simulation::prefilled_where_it_decodes(request_id r) {
  if (!with_.disaggregated || with_.disaggregated->remote_prefill_from <= 0) return false;
  const auto decoders = static_cast<std::uint32_t>(replicas_.size()) - front_;
  if (!any_up(front_, decoders)) return false;
  const auto to = chosen(r, front_, decoders);
  reach(to);
  const auto prompt = asked_.requests[r].prompt_tokens;
  const auto own = prompt - std::min(prompt, replicas_[to].twin.prefix_overlap(r));
  if (std::int64_t{own} >= with_.disaggregated->remote_prefill_from) return false;
  submit(r, to, true);
  return true;
}

// A replica with less than a step's worth of prompts gets the request whose deadline comes first: what has
// been handed out cannot be put in order any more.
void cluster_simulation::dispatch_held() {
  while (!held_.empty()) {
    std::uint32_t best = front_;
    for (std::uint32_t i = 0; i < front_; ++i) {
      if (!views_[i].up || !has_room(i)) continue;
      if (best == front_ || views_[i].unfinished < views_[best].unfinished) best = i;
    }
    if (best == front_) return;
    const auto r = held_.top().second;
    held_.pop();
    reach(best);
    if (admitted(r, best))
      submit(r, best);
    else
      give_up(r, outcome::rejected);
  }
}

bool cluster_simulation::has_room(std::uint32_t at) const {
  const auto& twin = replicas_[at].twin;
  const auto load = twin.load();
  return load.queued_tokens < twin.settings().max_batched_tokens &&
         views_[at].unfinished < std::int64_t{twin.settings().max_sequences};
}

void cluster_simulation::submit(request_id r, std::uint32_t to, bool prompt_too) {
  reach(to);
  if (prompt_too)
    replicas_[to].twin.submit_prompt(r, now_s_);
  else
    replicas_[to].twin.submit(r, now_s_);
  ++views_[to].unfinished;
  if (!home_.empty()) home_[asked_.requests[r].session] = static_cast<std::int32_t>(to);
}

std::uint32_t cluster_simulation::chosen(request_id r, std::uint32_t first, std::uint32_t count) {
  if (count == 1) return first;
  view(r, first, count);
  const auto session = asked_.requests[r].session;
  std::int64_t home = home_.empty() || session == 0 ? -1 : home_[session] - std::int64_t{first};
  if (home >= std::int64_t{count}) home = -1;
  const auto among = std::span(views_).subspan(first, count);
  return first + static_cast<std::uint32_t>(route(with_.router, among, r, rounds_++, home));
}

// What this router looks at, as it is now.
void cluster_simulation::view(request_id r, std::uint32_t first, std::uint32_t count) {
  const auto kind = with_.router.kind;
  if (kind != router_kind::least_kv && kind != router_kind::prefix) return;
  for (std::uint32_t i = first; i < first + count; ++i) {
    if (!views_[i].up) continue;
    reach(i);
    const auto& twin = replicas_[i].twin;
    const auto load = twin.load();
    const auto blocks = twin.settings().blocks, size = twin.settings().block_size;
    views_[i].kv_use = 1 - static_cast<double>(load.free_blocks) / blocks;
    if (kind != router_kind::prefix) continue;
    views_[i].decode_blocks = blocks_of(load.context_tokens, size);
    const auto prompt = asked_.requests[r].prompt_tokens;
    views_[i].prefill_blocks = blocks_of(prompt - std::min(prompt, twin.prefix_overlap(r)), size);
  }
}

// The work in front of it at the speed of full steps, each of which also decodes what runs.
double cluster_simulation::predicted_ttft_s(std::uint32_t at, request_id r) {
  reach(at);
  const auto& twin = replicas_[at].twin;
  const auto load = twin.load();
  const auto prompt = asked_.requests[r].prompt_tokens;
  const auto own = prompt - std::min(prompt, twin.prefix_overlap(r));
  const double tokens = static_cast<double>(load.queued_tokens) + own;
  const double steps = std::max(1.0, tokens / twin.settings().max_batched_tokens);
  const auto running = std::int64_t{load.running};
  const auto context = static_cast<std::int64_t>(load.context_tokens);
  double decode_s = 0;
  if (running > 0) {
    const auto line = with_.pools[replicas_[at].pool].timer->decode(running, std::max(context, running));
    decode_s = line.base_s + line.per_context_s * static_cast<double>(context);
  }
  return (now_s_ - made_.requests[r].arrival_s) + tokens * prefill_token_s_[replicas_[at].pool] +
         steps * decode_s;
}

bool cluster_simulation::admitted(request_id r, std::uint32_t to) {
  const double limit_s = with_.admission.ttft_limit_s;
  return !(limit_s > 0) || predicted_ttft_s(to, r) <= limit_s;
}

}  // namespace ridge::plan::serve
