// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

using trace::category;
using trace::copy_kind;

// Newer files name the stream; older ones name only the hardware's queue.
std::int32_t stream_of(const rocprof_record& record) {
  return static_cast<std::int32_t>(record.stream >= 0 ? record.stream : record.queue);
}

std::uint32_t extent(std::int64_t side) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(side, 0));
}

// The grid counts work-items here; other formats count blocks.
std::uint32_t blocks(const rocprof_record& record, std::size_t axis) {
  const auto items = extent(record.grid[axis]), block = extent(record.workgroup[axis]);
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

}  // namespace

void add_kernel(rocprof_document& document, const rocprof_record& record) {
  trace::device_work work{
      .device = std::max(document.gpu(record.agent), 0),
      .stream = stream_of(record),
      .process = document.process,
      .grid = {blocks(record, 0), blocks(record, 1), blocks(record, 2)},
      .block = {extent(record.workgroup[0]), extent(record.workgroup[1]), extent(record.workgroup[2])},
      .shared_bytes = static_cast<std::uint32_t>(record.group_segment),
      .local_bytes = static_cast<std::uint32_t>(record.private_segment)};
  const auto track =
      document.builder.track_of(trace::track_kind::stream, document.process, work.stream, work.device);
  document.builder.add(document.event(record, category::kernel, document.kernel(record.kernel), track), work);
}

void add_copy(rocprof_document& document, const rocprof_record& record) {
  const auto from = document.gpu(record.source_agent), into = document.gpu(record.destination_agent);
  const auto towards = direction_of(from, into);
  const trace::device_work work{.bytes = record.bytes,
                                .device = std::max(from < 0 ? into : from, 0),
                                .stream = stream_of(record),
                                .process = document.process,
                                .copy = towards.kind};
  const auto track =
      document.builder.track_of(trace::track_kind::stream, document.process, work.stream, work.device);
  document.builder.add(document.event(record, category::copy, towards.name, track), work);
}

}  // namespace ridge::backends::trace_rocprof_json
