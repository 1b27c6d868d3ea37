// SPDX-License-Identifier: Apache-2.0
#include "request_dispatcher.hpp"

#include <algorithm>
#include <span>

namespace ridge::plan::serve {
namespace {

constexpr double usual_deadline_s = 1;

std::int64_t blocks_of(std::uint64_t tokens, std::uint32_t block_size) {
  return static_cast<std::int64_t>((tokens + block_size - 1) / block_size);
}

}  // namespace

request_dispatcher::request_dispatcher(cluster_context& context, replica_fleet& fleet,
                                       request_ledger& requests)
    : context_(&context),
      fleet_(&fleet),
      requests_(&requests),
      bucket_(context.settings.admission.tokens_per_s, context.settings.admission.bucket_tokens),
      arriving_(fleet.replicas().size()) {
  if (context.settings.router.kind != router_kind::session) return;
  std::uint32_t sessions = 0;
  for (const auto& request : context.asked.requests) sessions = std::max(sessions, request.session);
  home_.assign(std::size_t{sessions} + 1, -1);
}

void request_dispatcher::arrive(request_id r) {
  context_->made.requests[r].arrival_s = context_->now_s;
  context_->table.set_arrival(r, context_->now_s);
  const auto& a = context_->settings.admission;
  const auto longest = static_cast<double>(context_->settings.longest_request);
  const double tokens = static_cast<double>(context_->asked.requests[r].prompt_tokens) +
                        context_->asked.requests[r].output_tokens;
  if (longest > 0 && tokens > longest) return requests_->give_up(r, outcome::too_long);
  if (a.tokens_per_s > 0 && !bucket_.take(context_->now_s, tokens))
    return requests_->give_up(r, outcome::rejected);
  dispatch(r);
}

double request_dispatcher::deadline_s(request_id r) const {
  const auto& one = context_->asked.requests[r];
  const auto& by = context_->settings.deadline_s;
  return context_->made.requests[r].arrival_s + (one.tenant < by.size() ? by[one.tenant] : usual_deadline_s);
}

// Prompts that are already computed wait only for a decoding replica.
void request_dispatcher::dispatch(request_id r) {
  if (prefilled_where_it_decodes(r)) return;
  if (!fleet_->any_up(0, fleet_->front())) {
    homeless_.push_back(r);
    return;
  }
  if (context_->settings.router.kind == router_kind::earliest_deadline) {
    held_.push({deadline_s(r), r});
    return;
  }
  const auto to = chosen(r, 0, fleet_->front());
  if (!admitted(r, to)) return requests_->give_up(r, outcome::rejected);
  submit(r, to);
}

// Dynamo's conditional disaggregation: a prompt with few uncached tokens is not worth a transfer.
bool request_dispatcher::prefilled_where_it_decodes(request_id r) {
  if (!context_->settings.disaggregated || context_->settings.disaggregated->remote_prefill_from <= 0)
    return false;
  const auto decoders = static_cast<std::uint32_t>(fleet_->replicas().size()) - fleet_->front();
  if (!fleet_->any_up(fleet_->front(), decoders)) return false;
  const auto to = chosen(r, fleet_->front(), decoders);
  fleet_->reach(to);
  const auto prompt = context_->asked.requests[r].prompt_tokens;
  const auto own = prompt - std::min(prompt, fleet_->replicas()[to].twin.prefix_overlap(r));
  if (std::int64_t{own} >= context_->settings.disaggregated->remote_prefill_from) return false;
  submit(r, to, true);
  return true;
}

// A replica with less than one step of prompt tokens gets the request with the earliest deadline. Requests
// that were handed out cannot be reordered, so the others are held.
void request_dispatcher::dispatch_held() {
  while (!held_.empty()) {
    std::uint32_t best = fleet_->front();
    for (std::uint32_t i = 0; i < fleet_->front(); ++i) {
      if (!fleet_->views()[i].up || !has_room(i)) continue;
      if (best == fleet_->front() || fleet_->views()[i].unfinished < fleet_->views()[best].unfinished)
        best = i;
    }
    if (best == fleet_->front()) return;
    const auto r = held_.top().second;
    held_.pop();
    fleet_->reach(best);
    if (admitted(r, best))
      submit(r, best);
    else
      requests_->give_up(r, outcome::rejected);
  }
}

bool request_dispatcher::has_room(std::uint32_t replica) const {
  const auto& twin = fleet_->replicas()[replica].twin;
  const auto load = twin.load();
  return load.queued_tokens < twin.settings().max_batched_tokens &&
         fleet_->views()[replica].unfinished < std::int64_t{twin.settings().max_sequences};
}

void request_dispatcher::submit(request_id r, std::uint32_t replica, bool prompt_too) {
  fleet_->submit(replica, r, prompt_too);
  ++fleet_->views()[replica].unfinished;
  if (!home_.empty()) home_[context_->asked.requests[r].session] = static_cast<std::int32_t>(replica);
}

void request_dispatcher::receive(request_id r) {
  const auto decoders = static_cast<std::uint32_t>(fleet_->replicas().size()) - fleet_->front();
  if (!fleet_->any_up(fleet_->front(), decoders)) {
    homeless_.push_back(r);
    return;
  }
  submit(r, chosen(r, fleet_->front(), decoders));
}

void request_dispatcher::dispatch_homeless() {
  auto waiting = std::move(homeless_);
  homeless_.clear();
  for (const auto id : waiting) {
    // A prompt that is already computed needs only a decoding replica.
    if (context_->made.requests[id].first_token_s < never_s)
      receive(id);
    else
      dispatch(id);
  }
}

std::uint32_t request_dispatcher::chosen(request_id r, std::uint32_t first, std::uint32_t count) {
  if (count == 1) return first;
  view(r, first, count);
  const auto session = context_->asked.requests[r].session;
  std::int64_t home = home_.empty() || session == 0 ? -1 : home_[session] - std::int64_t{first};
  if (home >= std::int64_t{count}) home = -1;
  const auto among = std::span(fleet_->views()).subspan(first, count);
  return first + static_cast<std::uint32_t>(route(context_->settings.router, among, r, rounds_++, home));
}

// The present values that this router uses.
void request_dispatcher::view(request_id r, std::uint32_t first, std::uint32_t count) {
  const auto kind = context_->settings.router.kind;
  if (kind != router_kind::least_kv && kind != router_kind::prefix) return;
  for (std::uint32_t i = first; i < first + count; ++i) {
    if (!fleet_->views()[i].up) continue;
    fleet_->reach(i);
    const auto& twin = fleet_->replicas()[i].twin;
    const auto load = twin.load();
    const auto blocks = twin.settings().blocks, size = twin.settings().block_size;
    fleet_->views()[i].kv_use = 1 - static_cast<double>(load.free_blocks) / blocks;
    if (kind != router_kind::prefix) continue;
    fleet_->views()[i].decode_blocks = blocks_of(load.context_tokens, size);
    const auto prompt = context_->asked.requests[r].prompt_tokens;
    fleet_->views()[i].prefill_blocks = blocks_of(prompt - std::min(prompt, twin.prefix_overlap(r)), size);
  }
}

// From the request's arrival, as long as it may have been held.
double request_dispatcher::predicted_ttft_s(std::uint32_t replica, request_id r) {
  fleet_->reach(replica);
  const auto& to = fleet_->replicas()[replica];
  const double held_s = context_->now_s - context_->made.requests[r].arrival_s;
  return held_s + latest_first_token_s(context_->settings.pools[to.pool], to.twin.load(),
                                       {.tokens = context_->asked.requests[r].prompt_tokens,
                                        .cached = to.twin.prefix_overlap(r)},
                                       arriving_[replica].tokens_per_s(context_->now_s));
}

bool request_dispatcher::admitted(request_id r, std::uint32_t replica) {
  const double limit_s = context_->settings.admission.ttft_limit_s;
  if (!(limit_s > 0)) return true;
  const bool in_time = predicted_ttft_s(replica, r) <= limit_s;
  arriving_[replica].add(context_->now_s, context_->asked.requests[r].prompt_tokens);
  return in_time;
}

}  // namespace ridge::plan::serve
