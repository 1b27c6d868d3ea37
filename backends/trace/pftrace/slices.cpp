// SPDX-License-Identifier: Apache-2.0
#include "slices.hpp"

#include <algorithm>
#include <cstddef>

namespace ridge::backends::trace_pftrace {
namespace {

// Begins in a row and the ends behind them: positions first, middle, last.
struct run {
  std::size_t first = 0, middle = 0, last = 0;
};

template <class Halves>
run run_at(const Halves& track, std::size_t first) {
  run r{first, first, first};
  while (r.middle < track.size() && track[r.middle].begins) ++r.middle;
  r.last = r.middle;
  while (r.last < track.size() && !track[r.last].begins) ++r.last;
  return r;
}

// Whether the run tells only that its slices nest: all begin before any ends.
template <class Halves>
bool nests(const Halves& track, const run& r) {
  auto latest = track[r.first].time, earliest = track[r.middle].time;
  for (auto i = r.first; i < r.middle; ++i) latest = std::max(latest, track[i].time);
  for (auto i = r.middle; i < r.last; ++i) earliest = std::min(earliest, track[i].time);
  return latest <= earliest;
}

}  // namespace

// Whether each run has as many ends as begins, and each end is behind the begin in the same place.
bool slices::fits_groups(const halves& track) {
  for (std::size_t at = 0; at < track.size();) {
    const auto r = run_at(track, at);
    const auto count = r.middle - r.first;
    if (count != r.last - r.middle || count == 0) return false;
    for (auto i = r.first; i < r.middle; ++i) {
      if (track[i + count].time < track[i].time) return false;
    }
    at = r.last;
  }
  return true;
}

bool slices::is_out_of_order_by_groups(const halves& track) {
  if (std::ranges::is_sorted(track, {}, &half::time) || !fits_groups(track)) return false;
  for (std::size_t at = 0; at < track.size();) {
    const auto r = run_at(track, at);
    if (!nests(track, r)) return true;
    at = r.last;
  }
  return false;
}

void slices::pair_groups(const halves& track, const take_slice& take) {
  for (std::size_t at = 0; at < track.size();) {
    const auto r = run_at(track, at);
    const auto count = r.middle - r.first;
    for (auto i = r.first; i < r.middle; ++i) take(track[i].slice, track[i].time, track[i + count].time);
    at = r.last;
  }
}

void slices::pair_nested(const halves& track, trace::input_quality& quality, const take_slice& take) {
  std::vector<half> open;
  for (const auto& h : track) {
    if (h.begins) {
      open.push_back(h);
    } else if (open.empty()) {
      quality.add(trace::flaw::unmatched_end, 0, "an end of a slice that does not begin");
    } else {
      take(open.back().slice, open.back().time, h.time);
      open.pop_back();
    }
  }
  for (const auto& h : open) {
    quality.add(trace::flaw::unmatched_begin, 0, "a slice that does not end");
    take(h.slice, h.time, track.back().time);
  }
}

void slices::pair(trace::input_quality& quality, const take_slice& take) {
  const bool in_groups =
      std::ranges::any_of(tracks_, [](const auto& known) { return is_out_of_order_by_groups(known.second); });
  for (auto& [uuid, track] : tracks_) {
    if (in_groups && fits_groups(track)) {
      pair_groups(track, take);
    } else {
      if (!std::ranges::is_sorted(track, {}, &half::time)) std::ranges::stable_sort(track, {}, &half::time);
      pair_nested(track, quality, take);
    }
    halves().swap(track);
  }
}

}  // namespace ridge::backends::trace_pftrace
