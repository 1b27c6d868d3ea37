// SPDX-License-Identifier: Apache-2.0
#include "rules/op_works.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "operators/op_inputs.hpp"

namespace ridge::trace {
namespace {

// What good kernels reach of the peaks.
constexpr double good_arithmetic = 0.6, good_memory = 0.75;

template <class Wanted>
op_works collect(const evidence& e, const device_evidence& d, Wanted wanted) {
  const auto& t = e.trace_of(d);
  const auto works = t.works_of(d.device);
  op_works found;
  if (works.empty()) return found;
  const auto first = static_cast<work_id>(works.data() - t.works.data());
  for (work_id w = first; w < first + works.size(); ++w) {
    const auto& work = t.works[w];
    if (work.start_ns >= d.window.end_ns || work.end_ns <= d.window.start_ns || !wanted(w)) continue;
    found.works.push_back(w);
    found.time_ns += work.duration_ns();
  }
  return found;
}

// Returns the idle time right before works of the set.
interval_set idle_before(const evidence& e, const device_evidence& d, const op_works& some) {
  const auto& t = e.trace_of(d);
  std::vector<time_range> ranges;
  for (const auto& g : d.idle.gaps) {
    if (g.next == none || !std::ranges::binary_search(some.works, g.next)) continue;
    if (t.works[g.next].start_ns <= g.range.end_ns) ranges.push_back(g.range);
  }
  return interval_set(std::move(ranges)).within(d.window);
}

}  // namespace

op_works works_under(const evidence& e, const device_evidence& d,
                     const std::function<bool(event_id)>& wanted) {
  const auto& tree = e.of(d).ops;
  std::map<std::uint32_t, std::uint32_t> owner;  // the wanted node on the way up, or `none`
  std::map<std::uint32_t, nanoseconds> time_of;
  auto found = collect(e, d, [&](work_id w) {
    const auto leaf = tree.node_of_work[w];
    if (leaf == none) return false;
    const auto [at, fresh] = owner.try_emplace(leaf, none);
    if (fresh) {
      for (auto n = leaf; n != none && at->second == none; n = tree.nodes[n].parent)
        if (wanted(tree.nodes[n].event)) at->second = n;
    }
    if (at->second == none) return false;
    time_of[at->second] += e.trace_of(d).works[w].duration_ns();
    return true;
  });
  found.calls = time_of.size();
  const auto most = std::ranges::max_element(time_of, {}, [](const auto& one) { return one.second; });
  if (most != time_of.end()) found.longest = tree.nodes[most->first].event;
  return found;
}

op_works works_where(const evidence& e, const device_evidence& d,
                     const std::function<bool(const device_work&)>& wanted) {
  const auto& t = e.trace_of(d);
  auto found = collect(e, d, [&](work_id w) { return wanted(t.works[w]); });
  found.calls = found.works.size();
  return found;
}

nanoseconds saved_by(const device_evidence& d, const trace& t, const work_change& change) {
  double lost = 0;
  std::map<work_id, double> factors;
  for (const auto w : change.works.works) {
    const auto factor = std::clamp(change.factor(w), 0.0, 1.0);
    factors[w] = factor;
    lost += (1 - factor) * static_cast<double>(t.works[w].duration_ns());
  }
  if (!d.outlook.known) return static_cast<nanoseconds>(std::llround(lost));
  std::vector<double> of_line(d.line.works.size(), 1.0);
  for (std::size_t i = 0; i < of_line.size(); ++i) {
    const auto at = factors.find(d.line.works[i].work);
    if (at != factors.end()) of_line[i] = at->second;
  }
  std::vector<std::uint8_t> dropped;
  if (change.launched_no_more) {
    for (const auto& p : d.line.points)
      dropped.push_back(p.works > 0 && factors.contains(d.line.works[p.first_work].work) ? 1 : 0);
  }
  return saved_ns(d.line, d.outlook,
                  {.work_factors = of_line, .dropped_points = dropped, .unwaited = change.waited_no_more});
}

candidate about_works(const evidence& e, const device_evidence& d, const work_change& change,
                      std::string_view label) {
  const auto& t = e.trace_of(d);
  std::vector<time_range> ranges;
  for (const auto w : change.works.works) ranges.push_back({t.works[w].start_ns, t.works[w].end_ns});
  const auto running = interval_set(std::move(ranges)).within(d.window);
  auto c = about(d, running, saved_by(d, t, change), label);
  if (change.launched_no_more || change.waited_no_more)
    c.claims.front().ranges = running.united_with(idle_before(e, d, change.works));
  if (!change.works.works.empty()) c.rows.front().work = change.works.works.front();
  return c;
}

bool changes_type(const trace& t, event_id op) {
  if (t.name_of(op) != "aten::copy_" || t.events.detail[op] == none) return false;
  const auto& detail = t.ops[t.events.detail[op]];
  const op_inputs in({.name = t.name_of(op),
                      .input_dims = t.names[detail.input_dims],
                      .input_types = t.names[detail.input_types]});
  const auto target = in.at(0).type, source = in.at(1).type;
  return target != number_type::unknown && source != number_type::unknown && target != source;
}

nanoseconds expected_ns(const op_model& model, const device_peaks& peaks) {
  const auto rate = peaks.flop_per_s(model.type, model.matrix);
  if (peaks.bytes_per_s <= 0) return 0;
  const auto arithmetic = rate > 0 ? model.flops / (good_arithmetic * rate) : 0;
  const auto memory = model.bytes / (good_memory * peaks.bytes_per_s);
  return kernel_start_ns + static_cast<nanoseconds>(std::llround(std::max(arithmetic, memory) * 1e9));
}

}  // namespace ridge::trace
