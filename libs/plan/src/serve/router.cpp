// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/router.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/serve/counted_random.hpp>

namespace ridge::plan::serve {
namespace {

constexpr std::uint64_t drawing = 201;

constexpr std::array<std::pair<std::string_view, router_kind>, 14> names{{
    {"random", router_kind::random},
    {"round-robin", router_kind::round_robin},
    {"shortest-queue", router_kind::shortest_queue},
    {"power-of-two", router_kind::power_of_two},
    {"least-kv", router_kind::least_kv},
    {"prefix", router_kind::prefix},
    {"session", router_kind::session},
    {"earliest-deadline", router_kind::earliest_deadline},
    {"rr", router_kind::round_robin},
    {"jsq", router_kind::shortest_queue},
    {"p2c", router_kind::power_of_two},
    {"kv", router_kind::prefix},
    {"affinity", router_kind::session},
    {"edf", router_kind::earliest_deadline},
}};

template <class Cost>
std::size_t cheapest(std::span<const replica_view> replicas, Cost cost) {
  std::size_t best = replicas.size();
  decltype(cost(replicas[0])) least{};
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    const auto here = cost(replicas[i]);
    if (replicas[i].up && (best == replicas.size() || here < least)) best = i, least = here;
  }
  expects(best < replicas.size(), "route: a replica is up");
  return best;
}

std::size_t count_up(std::span<const replica_view> replicas) {
  std::size_t n = 0;
  for (const auto& r : replicas) n += r.up ? 1 : 0;
  return n;
}

// The index of the nth replica that is up.
std::size_t nth_up(std::span<const replica_view> replicas, std::size_t n) {
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    if (replicas[i].up && n-- == 0) return i;
  }
  expects(false, "route: a replica is up");
  return 0;
}

std::size_t shortest(std::span<const replica_view> replicas) {
  return cheapest(replicas, [](const replica_view& r) { return r.unfinished; });
}

// The shorter queue of two different random replicas, when two are up.
std::size_t of_two(const router_settings& settings, std::span<const replica_view> replicas,
                   std::uint64_t index) {
  const auto up = count_up(replicas);
  const auto first = random_bits(settings.seed, index, drawing) % up;
  if (up == 1) return nth_up(replicas, first);
  const auto other = (first + 1 + random_bits(settings.seed, index, drawing + 1) % (up - 1)) % up;
  const auto a = nth_up(replicas, std::min(first, other)), b = nth_up(replicas, std::max(first, other));
  return replicas[b].unfinished < replicas[a].unfinished ? b : a;
}

}  // namespace

std::string_view name_of(router_kind r) {
  for (const auto& [name, kind] : names) {
    if (kind == r) return name;
  }
  return "?";
}

result<router_kind> router_named(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [text, kind] : names) {
    if (text == name) return kind;
    known.emplace_back(text);
  }
  const auto near = nearest_name(name, known);
  return error{
      fmt::format("no router is named \"{}\"", name),
      near ? fmt::format("did you mean {}?", *near) : fmt::format("there are: {}", join(known, ", "))};
}

double prefix_cost(double overlap_weight, std::int64_t prefill_blocks, std::int64_t decode_blocks) {
  return overlap_weight * static_cast<double>(prefill_blocks) + static_cast<double>(decode_blocks);
}

std::size_t route(const router_settings& settings, std::span<const replica_view> replicas,
                  std::uint64_t index, std::uint64_t round, std::int64_t home) {
  switch (settings.kind) {
    case router_kind::random:
      return nth_up(replicas, random_bits(settings.seed, index, drawing) % count_up(replicas));
    case router_kind::round_robin:
      return nth_up(replicas, round % count_up(replicas));
    case router_kind::power_of_two:
      return of_two(settings, replicas, index);
    case router_kind::least_kv:
      return cheapest(replicas, [](const replica_view& r) { return r.kv_use; });
    case router_kind::prefix:
      return cheapest(replicas, [&](const replica_view& r) {
        return prefix_cost(settings.overlap_weight, r.prefill_blocks, r.decode_blocks);
      });
    case router_kind::session:
      if (home >= 0 && replicas[static_cast<std::size_t>(home)].up) return static_cast<std::size_t>(home);
      return shortest(replicas);
    case router_kind::earliest_deadline:
      return cheapest(replicas, [](const replica_view& r) { return r.predicted_ttft_s; });
    case router_kind::shortest_queue:
      break;
  }
  return shortest(replicas);
}

}  // namespace ridge::plan::serve
