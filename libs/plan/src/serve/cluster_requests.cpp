// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/counted_random.hpp>

#include "cluster_simulation.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::uint64_t thinking = 301;

}  // namespace

void cluster_simulation::arrive(request_id r) {
  made_.requests[r].arrival_s = now_s_;
  table_.set_arrival(r, now_s_);
  const auto& a = with_.admission;
  const double tokens =
      static_cast<double>(asked_.requests[r].prompt_tokens) + asked_.requests[r].output_tokens;
  if (a.tokens_per_s > 0 && !bucket_.take(now_s_, tokens)) return give_up(r, outcome::rejected);
  dispatch(r);
}

void cluster_simulation::finish(request_id r, double at_s) {
  auto& one = made_.requests[r];
  one.last_token_s = at_s;
  if (one.first_token_s == never_s) one.first_token_s = at_s;
  one.ended = outcome::finished;
  ++ended_;
  release_followers(r);
}

void cluster_simulation::give_up(request_id r, outcome why) {
  made_.requests[r].ended = why;
  ++ended_;
  release_followers(r);
}

// Whoever was turned away goes on with what comes next, as clients do.
void cluster_simulation::release_followers(request_id r) {
  if (!first_follower_.empty()) {
    for (auto f = first_follower_[r]; f != no_request; f = next_sibling_[f])
      set_timer(now_s_ + asked_.requests[f].arrival_s, timer_kind::arrival, f);
  }
  if (asked_.clients == 0 || next_open_ >= asked_.requests.size()) return;
  const auto next = static_cast<std::uint32_t>(next_open_++);
  const double think_s =
      asked_.think_s > 0 ? asked_.think_s * random_exponential(with_.seed, next, thinking) : 0;
  set_timer(now_s_ + think_s, timer_kind::arrival, next);
}

void cluster_simulation::hand_over(std::uint32_t from, request_id r) {
  const auto& d = *with_.disaggregated;
  auto& one = made_.requests[r];
  const double begin_s = one.scheduled_s < never_s ? one.scheduled_s : now_s_;
  const double bytes = d.kv_bytes_per_token * one.prompt_tokens;
  const auto sent =
      replicas_[from].link.send(begin_s, now_s_, d.layers, bytes, d.link_bytes_per_s, d.latency_s);
  ++made_.transfers;
  made_.transferred_bytes += bytes;
  made_.transfer_wait_s += sent.wait_s;
  made_.exposed_transfer_s += sent.exposed_s;
  set_timer(sent.ready_s, timer_kind::transferred, r);
}

void cluster_simulation::receive(request_id r, std::uint32_t) {
  const auto decoders = static_cast<std::uint32_t>(replicas_.size()) - front_;
  if (!any_up(front_, decoders)) {
    homeless_.push_back(r);
    return;
  }
  submit(r, chosen(r, front_, decoders));
}

}  // namespace ridge::plan::serve
