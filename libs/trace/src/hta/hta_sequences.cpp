// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <unordered_map>

#include <ridge/trace/hta_programs.hpp>

#include "hta/hta_call_stack.hpp"
#include "hta/hta_correlations.hpp"

namespace ridge::trace {
namespace {

using works_of_calls = std::unordered_map<event_id, std::vector<const hta_row*>>;

// The works of each call. HTA takes no work of the default stream, number 0, here.
works_of_calls works_by_call(const hta_rows& rows) {
  works_of_calls out;
  for (const auto& r : rows.device) {
    if (r.stream <= 0 || !r.is_work) continue;
    const auto calls = rows.calls_of(r.correlation);
    if (!calls.empty()) out[calls.back().event].push_back(&r);
  }
  return out;
}

std::vector<const hta_row*> works_below(std::span<const hta_frame> frames, std::size_t root,
                                        const works_of_calls& works) {
  std::vector<const hta_row*> below;
  for (const auto& f : frames.subspan(root, frames[root].end - root)) {
    const auto at = works.find(f.event);
    if (at != works.end()) below.insert(below.end(), at->second.begin(), at->second.end());
  }
  std::ranges::stable_sort(below, {}, &hta_row::start_ns);
  return below;
}

// The frames whose name holds the part, at the least depth of any such.
std::vector<std::size_t> outermost_frames(const trace& t, std::span<const hta_frame> frames,
                                          std::string_view part) {
  std::vector<std::size_t> found;
  auto least = std::numeric_limits<std::int64_t>::max();
  std::vector<char> known(t.names.size(), 0);  // 0: not asked, 1: holds it, 2: does not
  for (std::size_t i = 0; i < frames.size(); ++i) {
    auto& holds = known[t.events.name[frames[i].event]];
    if (holds == 0) holds = t.name_of(frames[i].event).find(part) != std::string_view::npos ? 1 : 2;
    if (holds == 2 || frames[i].depth > least) continue;
    if (frames[i].depth < least) found.clear();
    least = frames[i].depth;
    found.push_back(i);
  }
  return found;
}

}  // namespace

std::vector<hta_sequence> hta_sequences(const trace& t, std::string_view operator_part, std::size_t shortest,
                                        const hta_options& options) {
  const auto rows = hta_rows_of(t, options);
  const auto frames = hta_call_stacks(t, rows, options);
  const auto works = works_by_call(rows);
  std::map<std::string, hta_sequence> sequences;
  for (const auto root : outermost_frames(t, frames, operator_part)) {
    const auto below = works_below(frames, root, works);
    if (below.size() < shortest) continue;
    std::string pattern(t.name_of(frames[root].event));
    nanoseconds gpu = 0;
    for (const auto* work : below) {
      pattern += '|';
      pattern += t.names[work->name];
      gpu += work->length_ns();
    }
    auto& of = sequences[pattern];
    of.pattern = std::move(pattern);
    ++of.count;
    of.gpu_ns += gpu;
    of.cpu_ns += frames[root].range.end_ns - frames[root].range.start_ns;
  }
  std::vector<hta_sequence> out;
  for (auto& [pattern, of] : sequences) out.push_back(std::move(of));
  std::ranges::stable_sort(out, std::greater<>{}, &hta_sequence::count);
  return out;
}

}  // namespace ridge::trace
