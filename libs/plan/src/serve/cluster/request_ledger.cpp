// SPDX-License-Identifier: Apache-2.0
#include "request_ledger.hpp"

#include <algorithm>

#include <ridge/plan/serve/counted_random.hpp>

#include "serve/populated_table.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::uint64_t thinking = 301;  // the stream of random numbers

}  // namespace

request_ledger::request_ledger(cluster_context& context) : context_(&context) {
  prepare();
  link_followers();
}

void request_ledger::prepare() {
  auto& made = context_->made.requests;
  reserve_populated(made, context_->asked.requests.size());
  for (const auto& asked : context_->asked.requests)
    made.push_back({.arrival_s = never_s,
                    .prompt_tokens = asked.prompt_tokens,
                    .output_tokens = asked.output_tokens,
                    .tenant = asked.tenant});
}

void request_ledger::link_followers() {
  const auto n = context_->asked.requests.size();
  const bool any = std::ranges::any_of(context_->asked.requests,
                                       [](const workload_request& r) { return r.follows != no_request; });
  if (!any) return;
  first_follower_.assign(n, no_request);
  next_sibling_.assign(n, no_request);
  for (auto i = static_cast<std::uint32_t>(n); i-- > 0;) {
    const auto before = context_->asked.requests[i].follows;
    if (before == no_request) continue;
    next_sibling_[i] = first_follower_[before];
    first_follower_[before] = i;
  }
}

void request_ledger::start() {
  // A closed loop starts with all clients at once; each later request waits for an answer.
  const auto& asked = context_->asked;
  for (std::uint32_t c = 0; c < asked.clients && next_open_ < asked.requests.size(); ++c)
    context_->timers.set(0, timer_kind::arrival, static_cast<std::uint32_t>(next_open_++));
  if (asked.clients == 0) find_next_arrival();
}

// The next request of an open loop that follows no other.
void request_ledger::find_next_arrival() {
  const auto& requests = context_->asked.requests;
  while (next_open_ < requests.size() && requests[next_open_].follows != no_request) ++next_open_;
  next_arrival_s_ = next_open_ < requests.size() ? requests[next_open_].arrival_s : never_s;
}

request_id request_ledger::take_next() {
  const auto next = static_cast<request_id>(next_open_++);
  find_next_arrival();
  return next;
}

void request_ledger::finish(request_id r, double at_s) {
  auto& one = context_->made.requests[r];
  one.last_token_s = at_s;
  if (one.first_token_s == never_s) one.first_token_s = at_s;
  one.ended = outcome::finished;
  ++ended_;
  release_followers(r);
}

void request_ledger::give_up(request_id r, outcome why) {
  context_->made.requests[r].ended = why;
  ++ended_;
  release_followers(r);
}

// The client of a refused request continues with its next one.
void request_ledger::release_followers(request_id r) {
  if (!first_follower_.empty()) {
    for (auto f = first_follower_[r]; f != no_request; f = next_sibling_[f])
      context_->timers.set(context_->now_s + context_->asked.requests[f].arrival_s, timer_kind::arrival, f);
  }
  if (context_->asked.clients == 0 || next_open_ >= context_->asked.requests.size()) return;
  const auto next = static_cast<std::uint32_t>(next_open_++);
  const double think_s =
      context_->asked.think_s > 0
          ? context_->asked.think_s * random_exponential(context_->settings.seed, next, thinking)
          : 0;
  context_->timers.set(context_->now_s + think_s, timer_kind::arrival, next);
}

}  // namespace ridge::plan::serve
