// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/workload.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/plan/serve/counted_random.hpp>

#include "populated_table.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::uint64_t thinning = 101, adapter_drawing = 102;

// Arrivals of the requests that follow no other: their number, the first and the last.
struct arrivals {
  std::size_t count = 0;
  double first_s = 0, last_s = 0;
  [[nodiscard]] double span_s() const { return count < 2 ? 0 : last_s - first_s; }
};

arrivals arrivals_of(const workload& w) {
  arrivals a;
  for (const auto& r : w.requests) {
    if (r.follows != no_request) continue;
    if (a.count++ == 0) a.first_s = r.arrival_s;
    a.last_s = r.arrival_s;
  }
  return a;
}

// Keeps the flagged requests; a request whose predecessor is removed starts a new chain.
void keep(workload& w, const std::vector<bool>& kept) {
  std::vector<std::uint32_t> now(w.requests.size(), no_request);
  std::vector<workload_request> left;
  for (std::size_t i = 0; i < w.requests.size(); ++i) {
    if (!kept[i]) continue;
    now[i] = static_cast<std::uint32_t>(left.size());
    left.push_back(w.requests[i]);
    auto& follows = left.back().follows;
    if (follows != no_request) follows = now[follows];
  }
  w.requests = std::move(left);
}

void append_copy(workload& w, std::size_t size, std::size_t hashes, std::uint32_t sessions, int copy,
                 double shift_s) {
  const auto first_request = static_cast<std::uint32_t>(w.requests.size());
  const auto first_hash = static_cast<std::uint32_t>(w.hashes.size());
  for (std::size_t i = 0; i < size; ++i) {
    auto r = w.requests[i];
    if (r.follows == no_request)
      r.arrival_s += shift_s;
    else
      r.follows += first_request;
    if (r.session != 0) r.session += sessions * static_cast<std::uint32_t>(copy);
    r.first_hash += first_hash;
    w.requests.push_back(r);
  }
  for (std::size_t i = 0; i < hashes; ++i)
    w.hashes.push_back(random_bits(w.hashes[i], static_cast<std::uint64_t>(copy), 0));
}

}  // namespace

std::span<const std::uint64_t> workload::hashes_of(const workload_request& r) const {
  return std::span(hashes).subspan(r.first_hash, r.hashes);
}

double workload::span_s() const { return arrivals_of(*this).span_s(); }

double workload::rate() const {
  const auto a = arrivals_of(*this);
  return a.span_s() > 0 ? static_cast<double>(a.count - 1) / a.span_s() : 0;
}

void repeat(workload& w, int times) {
  expects(times >= 1, "repeat: once at least");
  if (times == 1 || w.requests.empty()) return;
  const auto size = w.requests.size(), hashes = w.hashes.size();
  expects(size * static_cast<std::size_t>(times) < no_request, "repeat: fewer than 2^32 requests");
  const double rate = w.rate();
  const double period = w.span_s() + (rate > 0 ? 1 / rate : 0);
  const auto sessions = std::ranges::max_element(w.requests, {}, &workload_request::session)->session;
  reserve_populated(w.requests, size * static_cast<std::size_t>(times));
  reserve_populated(w.hashes, hashes * static_cast<std::size_t>(times));
  for (int k = 1; k < times; ++k) append_copy(w, size, hashes, sessions, k, period * k);
  // Requests that follow others may be anywhere; the others must ascend, and do: copies begin after the last.
  w.notes.push_back(fmt::format("repeated {} times; copies share no prompts", times));
}

void scale_rate(workload& w, double factor) {
  expects(factor > 0, "scale_rate: the factor is above 0");
  for (auto& r : w.requests) {
    if (r.follows == no_request) r.arrival_s /= factor;
  }
}

void thin(workload& w, double share, std::uint64_t seed) {
  expects(share > 0 && share <= 1, "thin: a share of (0, 1]");
  std::vector<bool> kept(w.requests.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto& r = w.requests[i];
    const auto who = r.session != 0 ? (1ULL << 32U) + r.session : static_cast<std::uint64_t>(i);
    kept[i] = random_uniform(seed, who, thinning) < share;
  }
  keep(w, kept);
}

void draw_adapters(workload& w, std::uint32_t adapters, double exponent, std::uint64_t seed) {
  expects(adapters > 0, "draw_adapters: one at least");
  std::vector<double> below(adapters);  // Σ of the weights up to each
  double all = 0;
  for (std::uint32_t k = 0; k < adapters; ++k) below[k] = all += std::pow(k + 1.0, -exponent);
  std::vector<std::uint64_t> hashes;
  hashes.reserve(w.hashes.size());
  for (std::size_t i = 0; i < w.requests.size(); ++i) {
    auto& r = w.requests[i];
    const auto who = r.session != 0 ? (1ULL << 32U) + r.session : static_cast<std::uint64_t>(i);
    const auto drawn = std::ranges::lower_bound(below, all * random_uniform(seed, who, adapter_drawing));
    r.adapter = static_cast<std::uint32_t>(drawn - below.begin()) + 1;
    const auto own = w.hashes_of(r);
    r.first_hash = static_cast<std::uint32_t>(hashes.size());
    for (const auto hash : own) hashes.push_back(random_bits(hash, r.adapter, adapter_drawing));
  }
  w.hashes = std::move(hashes);
}

result<void> add_images(workload& w, std::int64_t tokens) {
  constexpr std::int64_t most = 1 << 24;
  const bool sessions =
      std::ranges::any_of(w.requests, [](const workload_request& r) { return r.follows != no_request; });
  if (sessions)
    return error{"requests of sessions hold the images of earlier ones, which is not simulated",
                 "leave --images, or give requests that follow no other"};
  if (tokens > most)
    return error{fmt::format("{} tokens of images in each prompt", tokens), "give fewer --images"};
  for (auto& r : w.requests) {
    // Blocks of an answer that were named begin elsewhere now.
    if (w.hash_tokens > 0) r.hashes = std::min(r.hashes, r.prompt_tokens / w.hash_tokens);
    r.prompt_tokens += static_cast<std::uint32_t>(tokens);
  }
  return {};
}

void limit(workload& w, std::size_t requests) {
  if (requests < w.requests.size()) w.requests.resize(requests);
}

std::size_t put_in_order(workload& w) {
  std::vector<std::uint32_t> order(w.requests.size());
  std::iota(order.begin(), order.end(), 0U);
  // A request that follows another is sorted by the time of that one.
  std::vector<double> key(w.requests.size());
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto& r = w.requests[i];
    key[i] = r.follows == no_request ? r.arrival_s : key[r.follows];
  }
  std::size_t out_of_order = 0;
  double latest = -1e300;
  for (const double t : key) {
    if (t < latest) ++out_of_order;
    latest = std::max(latest, t);
  }
  if (out_of_order > 0) {
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return key[i]; });
    std::vector<std::uint32_t> now(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) now[order[i]] = i;
    std::vector<workload_request> sorted;
    sorted.reserve(order.size());
    for (const auto i : order) sorted.push_back(w.requests[i]);
    for (auto& r : sorted) r.follows = r.follows == no_request ? no_request : now[r.follows];
    w.requests = std::move(sorted);
  }
  const double first = w.requests.empty() ? 0 : key[order.front()];
  for (auto& r : w.requests) {
    if (r.follows == no_request) r.arrival_s -= first;
  }
  return out_of_order;
}

request_table table_of(const workload& w) {
  request_table t(w.hash_tokens);
  t.reserve(w.requests.size(), w.hashes.size());
  for (const auto& r : w.requests) {
    t.add({.arrival_s = r.arrival_s,
           .input_tokens = r.prompt_tokens,
           .output_tokens = r.output_tokens,
           .session = r.session,
           .tenant = r.tenant,
           .priority = r.priority,
           .adapter = r.adapter},
          w.hashes_of(r));
  }
  return t;
}

}  // namespace ridge::plan::serve
