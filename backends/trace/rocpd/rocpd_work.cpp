// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "rocpd_process.hpp"

namespace ridge::backends::trace_rocpd {
namespace {

using trace::category;
using trace::copy_kind;

std::uint32_t clamped(std::int64_t value) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::uint32_t>::max()));
}

// The grid counts work-items here; other formats count blocks.
std::uint32_t blocks(std::uint32_t items, std::uint32_t block) {
  return block == 0 ? 0 : items / block + (items % block == 0 ? 0 : 1);
}

struct direction {
  copy_kind kind;
  std::string_view name;
};

direction direction_of(std::int32_t source, std::int32_t destination) {
  if (source < 0 && destination < 0) return {copy_kind::host_to_host, "Memcpy HtoH"};
  if (source < 0) return {copy_kind::host_to_device, "Memcpy HtoD"};
  if (destination < 0) return {copy_kind::device_to_host, "Memcpy DtoH"};
  return source == destination ? direction{copy_kind::device_to_device, "Memcpy DtoD"}
                               : direction{copy_kind::peer_to_peer, "Memcpy PtoP"};
}

void add_work(const rocpd_process& process, const placed_row& row, category kind, std::string_view name,
              trace::device_work work) {
  work.stream = static_cast<std::int32_t>(row.stream ? *row.stream : row.queue.value_or(-1));
  work.process = process.process(row.process);
  auto& builder = process.reading.builder;
  const auto track = builder.track_of(trace::track_kind::stream, work.process, work.stream, work.device);
  builder.add(process.event_row(row, kind, name, track), work);
}

struct kernel_symbol {
  std::string name{};
  std::uint16_t registers = 0;
};

std::unordered_map<std::int64_t, kernel_symbol> symbols_of(const rocpd_process& process) {
  std::unordered_map<std::int64_t, kernel_symbol> symbols;
  auto rows = process.rows("info_kernel_symbol",
                           {"id", "display_name", "kernel_name", "arch_vgpr_count", "accum_vgpr_count"});
  while (process.next(rows, "info_kernel_symbol")) {
    const auto registers = clamped(rows.whole_or(3, 0)) + std::uint64_t{clamped(rows.whole_or(4, 0))};
    symbols.insert_or_assign(
        rows.whole_or(0, 0),
        kernel_symbol{.name = std::string(rows.text(rows.text(1).empty() ? 2 : 1)),
                      .registers = static_cast<std::uint16_t>(std::min<std::uint64_t>(registers, 0xffff))});
  }
  return symbols;
}

}  // namespace

void read_kernels(const rocpd_process& process) {
  const auto symbols = symbols_of(process);
  constexpr auto table = "kernel_dispatch";
  constexpr int own = rocpd_process::first_own, block = own + 3, grid = block + 3;
  auto rows = process.placed_rows(
      table, {"kernel_id", "group_segment_size", "private_segment_size", "workgroup_size_x",
              "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z"});
  const auto side = [&](int column) { return clamped(rows.whole_or(column, 1)); };
  while (process.next(rows, table)) {
    const auto row = process.place(rows);
    const auto symbol = symbols.find(rows.whole_or(own, -1));
    const bool known = symbol != symbols.end() && !symbol->second.name.empty();
    trace::device_work work{
        .device = std::max(process.gpu(row.agent), 0),
        .block = {side(block), side(block + 1), side(block + 2)},
        .shared_bytes = clamped(rows.whole_or(own + 1, 0)),
        .local_bytes = clamped(rows.whole_or(own + 2, 0)),
        .registers = symbol == symbols.end() ? std::uint16_t{0} : symbol->second.registers};
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      work.grid[at] = blocks(side(grid + axis), work.block[at]);
    }
    add_work(process, row, category::kernel, known ? std::string_view(symbol->second.name) : "kernel", work);
  }
}

void read_copies(const rocpd_process& process) {
  constexpr auto table = "memory_copy";
  constexpr int own = rocpd_process::first_own;
  auto rows = process.placed_rows(table, {"src_agent_id", "dst_agent_id", "size"});
  while (process.next(rows, table)) {
    const auto from = process.gpu(rows.whole(own)), into = process.gpu(rows.whole(own + 1));
    const auto towards = direction_of(from, into);
    add_work(process, process.place(rows), category::copy, towards.name,
             {.bytes = std::max<std::int64_t>(rows.whole_or(own + 2, 0), 0),
              .device = std::max(from < 0 ? into : from, 0),
              .copy = towards.kind});
  }
}

}  // namespace ridge::backends::trace_rocpd
