// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_call_stack.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "hta/hta_host_rows.hpp"
#include "hta/hta_steps.hpp"

namespace ridge::trace {
namespace {

// Gives frames of one thread, sorted by start and longest first, their depths and ends.
void nest(std::span<hta_frame> frames, std::size_t first) {
  std::vector<std::size_t> open;
  const auto close = [&](std::size_t now) {
    frames[open.back()].end = first + now;
    open.pop_back();
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    while (!open.empty() && frames[open.back()].range.end_ns <= frames[i].range.start_ns) close(i);
    frames[i].depth = static_cast<std::int64_t>(open.size());
    open.push_back(i);
  }
  while (!open.empty()) close(frames.size());
}

using threads_of_frames = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<hta_frame>>;

threads_of_frames frames_by_thread(const trace& t, const hta_rows& rows, const hta_options& options) {
  threads_of_frames threads;
  for_each_host_row(t, rows, options, [&](event_id e, time_range at, bool kept) {
    const auto kind = t.events.kind[e];
    if (!kept || kind == category::device_annotation || kind == category::synchronization) return;
    const auto place = hta_place_of_event(t, e);
    threads[{place.process, place.thread}].push_back({.event = e, .range = at});
  });
  return threads;
}

// The only thread for which `holds` is true of a name; nothing where there are several.
template <class Holds>
std::optional<std::size_t> only_thread(const trace& t, std::span<const hta_frame> frames, Holds holds) {
  std::set<std::size_t> found;
  for (const auto& f : frames) {
    if (!found.contains(f.thread) && holds(t.name_of(f.event))) found.insert(f.thread);
  }
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

std::vector<hta_frame> parents_of_backward(const trace& t, std::span<const hta_frame> frames,
                                           std::size_t main) {
  for (const std::string_view head : {"## backward ##", "ProfilerStep#"}) {
    std::vector<hta_frame> found;
    for (const auto& f : frames) {
      if (f.thread == main && t.name_of(f.event).starts_with(head)) found.push_back(f);
    }
    if (!found.empty()) return found;
  }
  return {};
}

void hang_backward(const trace& t, std::span<hta_frame> frames) {
  const auto main =
      only_thread(t, frames, [](std::string_view name) { return name.starts_with("ProfilerStep#"); });
  const auto backward = only_thread(
      t, frames, [](std::string_view name) { return name.find("autograd::") != std::string_view::npos; });
  if (!main || !backward || *main == *backward) return;
  const auto parents = parents_of_backward(t, frames, *main);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    auto& root = frames[i];
    if (root.thread != *backward || root.depth != 0) continue;
    const auto parent = std::ranges::find_if(parents, [&](const hta_frame& p) {
      return p.range.start_ns <= root.range.start_ns && root.range.end_ns <= p.range.end_ns;
    });
    if (parent == parents.end()) continue;
    const auto below = parent->depth + 1;
    for (auto& f : frames.subspan(i, root.end - i)) f.depth += below;
    i = root.end - 1;
  }
}

}  // namespace

std::vector<hta_frame> hta_call_stacks(const trace& t, const hta_rows& rows, const hta_options& options) {
  std::vector<hta_frame> all;
  std::size_t thread = 0;
  for (auto& [place, frames] : frames_by_thread(t, rows, options)) {
    std::ranges::stable_sort(frames, {}, [&](const hta_frame& f) {
      return std::tuple(f.range.start_ns, -f.range.end_ns, t.events.offset[f.event]);
    });
    const auto first = all.size();
    nest(frames, first);
    for (auto& f : frames) f.thread = thread;
    all.insert(all.end(), frames.begin(), frames.end());
    ++thread;
  }
  hang_backward(t, all);
  return all;
}

}  // namespace ridge::trace
