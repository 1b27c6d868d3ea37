// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/clock_alignment.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

#include <ridge/base/expects.hpp>

#include "clocks/clock_fit.hpp"

namespace ridge::trace {
namespace {

constexpr std::size_t least_collectives = 3;      // below it an offset has no uncertainty
constexpr nanoseconds least_uncertainty = 1'000;  // many profilers round to microseconds
// How far apart the ends of one collective lie on one clock: 1 to 7 us on 8 V100 of one host (the dlrm
// traces). A rank that always ends late cannot be distinguished from a clock that is behind.
constexpr nanoseconds ends_agree = 7'000;
// Unix times of different hosts agree to milliseconds; closer than this they are one clock.
constexpr nanoseconds one_clock = 100'000;

class aligner {
 public:
  aligner(std::span<const trace> traces, const matched_collectives& matched)
      : traces_(traces), matched_(matched), maps_(traces.size()), known_(traces.size(), false) {
    if (traces.empty()) return;
    maps_[0] = {.source = clock_source::reference, .uncertainty_ns = 0};
    known_[0] = true;
  }

  // Each round aligns traces that share collectives with aligned ones.
  std::vector<clock_map> run() {
    for (bool more = true; more;) {
      more = false;
      const auto pairs = pairs_with_known();
      auto next = known_;
      for (std::uint32_t t = 0; t < traces_.size(); ++t) {
        if (known_[t] || pairs[t].size() < least_collectives) continue;
        maps_[t] = measured(t, pairs[t], next);
        next[t] = more = true;
      }
      known_ = next;
    }
    take_the_rest();
    return std::move(maps_);
  }

 private:
  struct reference_end {
    nanoseconds common_ns = 0;
    nanoseconds uncertainty_ns = 0;
    std::uint32_t trace_index = none;
  };

  // The end of an instance by the best known clock of its parts.
  reference_end end_of(const collective_instance& instance) const {
    reference_end best;
    for (const auto& part : instance.parts) {
      const auto t = matched_.participants[part.participant].trace;
      if (!known_[t]) continue;
      const auto uncertainty = maps_[t].uncertainty_ns.value_or(0);
      if (best.trace_index == none || uncertainty < best.uncertainty_ns)
        best = {maps_[t].to_common(part.end_ns), uncertainty, t};
    }
    return best;
  }

  std::vector<std::vector<clock_pair>> pairs_with_known() {
    std::vector<std::vector<clock_pair>> pairs(traces_.size());
    inherited_.assign(traces_.size(), 0);
    for (const auto& instance : matched_.instances) {
      if (instance.parts.size() < 2) continue;
      const auto end = end_of(instance);
      if (end.trace_index == none) continue;
      for (const auto& part : instance.parts) {
        const auto t = matched_.participants[part.participant].trace;
        if (known_[t]) continue;
        pairs[t].push_back({part.end_ns, end.common_ns, instance.group});
        inherited_[t] = std::max(inherited_[t], end.uncertainty_ns);
      }
    }
    return pairs;
  }

  bool tells_epochs(std::uint32_t t) const { return traces_[0].epoch_ns != 0 && traces_[t].epoch_ns != 0; }

  bool says_other_host(std::uint32_t t) const {
    const auto &first = traces_[0].source.host, &own = traces_[t].source.host;
    return !first.empty() && !own.empty() && first != own;
  }

  clock_map by_epoch(std::uint32_t t, clock_source source) const {
    return {.offset_ns = traces_[t].epoch_ns - traces_[0].epoch_ns, .source = source};
  }

  clock_map measured(std::uint32_t t, const std::vector<clock_pair>& pairs,
                     const std::vector<bool>& aligned) const {
    // Old profilers write Unix times and no epoch: the difference of epochs then still leads to the right
    // one.
    if (!says_other_host(t)) {
      auto shared = by_epoch(t, clock_source::shared_host);
      const auto off = misfit(shared, pairs);
      if (off <= one_clock) {
        shared.collectives = static_cast<std::uint32_t>(pairs.size());
        shared.uncertainty_ns = std::max(off, least_uncertainty);
        return shared;
      }
    }
    auto fitted = fit_clock(pairs);
    if (const auto neighbour = by_neighbour(t, aligned);
        neighbour && misfit(*neighbour, pairs) <= one_clock) {
      fitted = *neighbour;
      fitted.collectives = static_cast<std::uint32_t>(pairs.size());
      fitted.uncertainty_ns = misfit(*neighbour, pairs);
    }
    fitted.uncertainty_ns = fitted.uncertainty_ns.value_or(0) + ends_agree + inherited_[t];
    return fitted;
  }

  // The clock of an aligned trace of the same host, where there is one.
  std::optional<clock_map> by_neighbour(std::uint32_t t, const std::vector<bool>& aligned) const {
    const auto& own = traces_[t];
    for (std::uint32_t k = 0; k < traces_.size(); ++k) {
      const auto& other = traces_[k];
      if (!aligned[k] || own.source.host.empty() || other.source.host != own.source.host) continue;
      if (own.epoch_ns == 0 || other.epoch_ns == 0) continue;
      auto map = maps_[k];
      map.offset_ns += own.epoch_ns - other.epoch_ns;
      map.anchor_ns -= own.epoch_ns - other.epoch_ns;
      map.source = clock_source::shared_host;
      map.collectives = 0;
      map.uncertainty_ns.reset();
      return map;
    }
    return std::nullopt;
  }

  // Without enough collectives the Unix times are used where they are recorded, without an uncertainty.
  void take_the_rest() {
    const auto pairs = pairs_with_known();
    for (std::uint32_t t = 0; t < traces_.size(); ++t) {
      if (known_[t]) continue;
      if (const auto shared = by_neighbour(t, known_)) {
        maps_[t] = *shared;
      } else if (tells_epochs(t)) {
        maps_[t] = by_epoch(t, clock_source::epoch);
      } else if (!pairs[t].empty()) {
        maps_[t] = fit_clock(pairs[t]);
        maps_[t].uncertainty_ns.reset();
      }
    }
  }

  std::span<const trace> traces_;
  const matched_collectives& matched_;
  std::vector<clock_map> maps_;
  std::vector<bool> known_;
  std::vector<nanoseconds> inherited_{};  // uncertainty of the clocks that a trace's pairs rest on
};

}  // namespace

std::string_view name(clock_source s) {
  constexpr std::array<std::string_view, 5> names{"reference", "shared host", "ends of collectives",
                                                  "Unix times", "unrelated"};
  return names.at(static_cast<std::size_t>(s));
}

nanoseconds clock_map::to_common(nanoseconds t) const {
  constexpr std::int64_t billion = 1'000'000'000;
  const auto since = t - anchor_ns;  // in two steps, so that days and drifts do not overflow
  return t + offset_ns + since / billion * drift_ppb + since % billion * drift_ppb / billion;
}

std::optional<nanoseconds> clock_alignment::uncertainty_ns(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 0;
  if (a >= maps.size() || b >= maps.size()) return std::nullopt;
  if (!maps[a].uncertainty_ns || !maps[b].uncertainty_ns) return std::nullopt;
  return *maps[a].uncertainty_ns + *maps[b].uncertainty_ns;
}

std::optional<nanoseconds> clock_alignment::uncertainty_ns() const {
  nanoseconds largest = 0;
  for (std::uint32_t a = 0; a < maps.size(); ++a) {
    for (std::uint32_t b = a + 1; b < maps.size(); ++b) {
      const auto between = uncertainty_ns(a, b);
      if (!between) return std::nullopt;
      largest = std::max(largest, *between);
    }
  }
  return largest;
}

bool clock_alignment::tells(std::uint32_t a, std::uint32_t b, nanoseconds difference) const {
  const auto between = uncertainty_ns(a, b);
  return between && std::abs(difference) > *between;
}

clock_alignment align_clocks(std::span<const trace> traces, const matched_collectives& matched) {
  return {aligner(traces, matched).run()};
}

}  // namespace ridge::trace
