// SPDX-License-Identifier: Apache-2.0
#include "reading.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include <ridge/trace/copy_ends.hpp>

namespace ridge::backends::trace_pftrace {
namespace {

std::uint32_t size_in(const std::optional<std::int64_t>& bytes) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(bytes.value_or(0), 0, std::numeric_limits<std::uint32_t>::max()));
}

std::uint32_t collective_of(trace::trace_builder& builder, const event_arguments& a) {
  if (a.collective.empty()) return trace::none;
  return builder.add(trace::collective{.in_elements = a.in_elements.value_or(-1),
                                       .out_elements = a.out_elements.value_or(-1),
                                       .sequence = a.collective_sequence.value_or(-1),
                                       .operation = builder.intern(a.collective),
                                       .dtype = builder.intern(a.dtype),
                                       .group = builder.intern(a.group),
                                       .group_description = builder.intern(a.group_description),
                                       .ranks = builder.intern(a.ranks),
                                       .group_size = size_in(a.group_size)});
}

// rocprofv3 tells only how many work-items there were.
void take_items(const event_arguments& a, trace::device_work& work) {
  const auto block = size_in(a.workgroup_items), items = size_in(a.items);
  if (block == 0 || work.block[0] != 0) return;
  work.block = {block, 1, 1};
  work.grid = {items / block + (items % block == 0 ? 0 : 1), 1, 1};
}

// What a slice tells as well as a render stage, which is then one work.
using twin_counts = std::map<std::tuple<trace::nanoseconds, trace::nanoseconds, std::int32_t>, int>;

void add_slices(pftrace_reading& reading, twin_counts& twins) {
  const auto launches = reading.arrows.finish(reading.builder);
  auto& quality = reading.builder.facts().quality;
  reading.halves.pair(quality, [&](std::uint32_t slice, trace::nanoseconds start, trace::nanoseconds end) {
    auto& s = reading.open[slice];
    s.row.start_ns = start;
    s.row.duration_ns = std::max<trace::nanoseconds>(end - start, 0);
    const auto arrow = launches.find(slice);
    if (s.row.correlation == 0 && arrow != launches.end())
      s.row.correlation = reading.number_for(arrow->second);
    if (s.work != trace::none) {
      ++twins[{start, s.row.duration_ns, reading.works[s.work].device}];
      reading.builder.add(s.row, reading.works[s.work]);
    } else if (s.op != trace::none) {
      reading.builder.add(s.row, reading.ops[s.op]);
    } else {
      reading.builder.add(s.row);
    }
  });
}

void add_stage(pftrace_reading& reading, render_stage& s) {
  s.work.process = s.process ? reading.builder.process(*s.process) : trace::none;
  if (const auto call = reading.submitted.find(s.id); s.id != 0 && call != reading.submitted.end()) {
    if (s.row.correlation == 0) s.row.correlation = call->second.first;
    s.work.process = call->second.second;
  }
  const auto process = s.work.process == trace::none ? reading.builder.process(0) : s.work.process;
  s.row.track = reading.builder.track_of(trace::track_kind::stream, process, s.work.stream, s.work.device);
  reading.builder.add(s.row, s.work);
}

}  // namespace

std::uint32_t id_in(const std::optional<std::int64_t>& number) {
  if (!number || *number <= 0 || *number >= std::numeric_limits<std::uint32_t>::max()) return 0;
  return static_cast<std::uint32_t>(*number);
}

std::uint32_t pftrace_reading::number_for(std::uint64_t id) {
  constexpr std::uint32_t first = 0x80000000U;
  return numbers.try_emplace(id, first + static_cast<std::uint32_t>(numbers.size())).first->second;
}

trace::device_work work_with(trace::trace_builder& builder, const event_arguments& a, trace::category kind,
                             std::string_view name) {
  const auto ends = kind == trace::category::copy ? trace::copy_ends_of(name) : trace::copy_ends{};
  trace::device_work work{.bytes = std::max<std::int64_t>(a.bytes.value_or(0), 0),
                          .graph_node = static_cast<std::uint64_t>(a.graph_node.value_or(0)),
                          .context = id_in(a.context),
                          .graph = id_in(a.graph),
                          .collective = collective_of(builder, a),
                          .grid = a.grid,
                          .block = a.block,
                          .shared_bytes = size_in(a.shared_bytes),
                          .local_bytes = size_in(a.local_bytes),
                          .registers = static_cast<std::uint16_t>(std::min(size_in(a.registers), 0xffffU)),
                          .copy = ends.kind,
                          .source = ends.source,
                          .destination = ends.destination};
  if (a.occupancy_percent)
    work.occupancy = static_cast<float>(std::clamp(*a.occupancy_percent, 0.0, 100.0)) / 100;
  if (a.gb_per_s) work.gb_per_s = static_cast<float>(*a.gb_per_s);
  take_items(a, work);
  return work;
}

void finish_slices(pftrace_reading& reading) {
  twin_counts twins;
  add_slices(reading, twins);
  for (auto& s : reading.stages) {
    const auto twin = twins.find({s.row.start_ns, s.row.duration_ns, s.work.device});
    if (twin != twins.end() && twin->second > 0)
      --twin->second;
    else
      add_stage(reading, s);
  }
}

}  // namespace ridge::backends::trace_pftrace
