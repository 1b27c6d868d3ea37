// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "nsys_reading.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using trace::category;
using trace::copy_kind;
using trace::device_work;
using trace::memory_kind;

constexpr auto kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr auto copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr auto fills = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr auto graphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";

// The columns that all device work has, in this order.
enum common : int { start, end, device, stream, context, correlation, pid, graph_node, graph, first_own };

table_rows work_rows(const nsys_reading& reading, std::string_view table,
                     std::initializer_list<std::string_view> own) {
  std::vector<std::string_view> columns{"start",         "end",       "deviceId",    "streamId", "contextId",
                                        "correlationId", "globalPid", "graphNodeId", "graphId"};
  columns.insert(columns.end(), own);
  return reading.file.rows(table, columns);
}

void add(nsys_reading& reading, const table_rows& row, category kind, std::string_view name,
         device_work details) {
  details.device = static_cast<std::int32_t>(row.whole_or(device, 0));
  details.stream = static_cast<std::int32_t>(row.whole_or(stream, 0));
  details.context = narrow(row.whole_or(context, 0));
  details.graph_node = static_cast<std::uint64_t>(row.whole_or(graph_node, 0));
  details.graph = narrow(row.whole_or(graph, 0));
  details.process = reading.launching_process(row.whole(pid));
  if (row.whole(context)) reading.context_is_on(details.process, details.context, details.device);
  const auto begin = row.whole_or(start, 0);
  const auto length = row.whole_or(end, begin) - begin;
  if (length < 0) reading.note(trace::flaw::negative_duration, name);
  reading.builder.add({.start_ns = begin,
                       .duration_ns = std::max<trace::nanoseconds>(length, 0),
                       .name = reading.builder.intern(name),
                       .track = reading.stream_of(details.process, details.device, details.stream),
                       .correlation = narrow(row.whole_or(correlation, 0)),
                       .kind = kind},
                      details);
}

std::string_view kernel_name(const nsys_reading& reading, const table_rows& row, int first) {
  for (int column = first; column < first + 3; ++column) {
    if (const auto name = reading.names.text_in(row, column); !name.empty()) return name;
  }
  return "kernel";
}

std::uint32_t size(const table_rows& row, int column) { return narrow(row.whole_or(column, 0)); }

void read_kernels(nsys_reading& reading) {
  auto rows = work_rows(
      reading, kernels,
      {"demangledName", "shortName", "mangledName", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
       "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "registersPerThread"});
  constexpr int name = first_own, grid = name + 3, block = grid + 3, shared = block + 3, local = shared + 2;
  while (reading.next(rows, kernels)) {
    add(reading, rows, category::kernel, kernel_name(reading, rows, name),
        {.grid = {size(rows, grid), size(rows, grid + 1), size(rows, grid + 2)},
         .block = {size(rows, block), size(rows, block + 1), size(rows, block + 2)},
         .shared_bytes = size(rows, shared) + size(rows, shared + 1),
         .local_bytes = size(rows, local),
         .registers = static_cast<std::uint16_t>(size(rows, local + 1))});
  }
}

struct direction {
  copy_kind kind = copy_kind::unknown;
  std::string_view name = "Memcpy";
};

// CUpti_ActivityMemcpyKind, and the profiler's own numbers 11..13 for unified memory; 3..7 are copies of
// arrays.
direction direction_of(std::int64_t number) {
  switch (number) {
    case 1:
    case 3:
    case 11:
      return {copy_kind::host_to_device, "Memcpy HtoD"};
    case 2:
    case 4:
    case 12:
      return {copy_kind::device_to_host, "Memcpy DtoH"};
    case 5:
    case 6:
    case 7:
    case 8:
    case 13:
      return {copy_kind::device_to_device, "Memcpy DtoD"};
    case 9:
      return {copy_kind::host_to_host, "Memcpy HtoH"};
    case 10:
      return {copy_kind::peer_to_peer, "Memcpy PtoP"};
    default:
      return {};
  }
}

struct memory {
  memory_kind kind = memory_kind::unknown;
  std::string_view name = "Unknown";
};

memory memory_of(std::int64_t number) {
  switch (number) {
    case 0:
      return {memory_kind::pageable, "Pageable"};
    case 1:
      return {memory_kind::pinned, "Pinned"};
    case 2:
    case 5:
      return {memory_kind::device, "Device"};
    case 3:
      return {memory_kind::array, "Array"};
    case 4:
    case 6:
      return {memory_kind::managed, "Managed"};
    default:
      return {};
  }
}

void read_copies(nsys_reading& reading) {
  auto rows = work_rows(reading, copies, {"bytes", "copyKind", "srcKind", "dstKind"});
  while (reading.next(rows, copies)) {
    const auto towards = direction_of(rows.whole_or(first_own + 1, 0));
    const auto from = memory_of(rows.whole_or(first_own + 2, -1)),
               into = memory_of(rows.whole_or(first_own + 3, -1));
    add(reading, rows, category::copy, fmt::format("{} ({} -> {})", towards.name, from.name, into.name),
        {.bytes = rows.whole_or(first_own, 0),
         .copy = towards.kind,
         .source = from.kind,
         .destination = into.kind});
  }
}

void read_fills(nsys_reading& reading) {
  auto rows = work_rows(reading, fills, {"bytes", "memKind"});
  while (reading.next(rows, fills)) {
    const auto into = memory_of(rows.whole_or(first_own + 1, -1));
    add(reading, rows, category::fill, fmt::format("Memset ({})", into.name),
        {.bytes = rows.whole_or(first_own, 0), .destination = into.kind});
  }
}

// Reads graphs traced as a whole: their kernels are not recorded, only that the device worked.
void read_graphs(nsys_reading& reading) {
  auto rows = work_rows(reading, graphs, {});
  while (reading.next(rows, graphs)) {
    const auto name = fmt::format("CUDA graph {}", rows.whole_or(graph, 0));
    reading.note(trace::flaw::opaque_graphs,
                 name + ": traced as a whole; run nsys with --cuda-graph-trace=node");
    add(reading, rows, category::kernel, name, {});
  }
}

}  // namespace

void read_device_work(nsys_reading& reading) {
  read_kernels(reading);
  read_copies(reading);
  read_fills(reading);
  read_graphs(reading);
}

}  // namespace ridge::backends::trace_nsys_sqlite
