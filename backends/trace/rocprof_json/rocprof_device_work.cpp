// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

using trace::category;
using trace::copy_kind;

// Newer files name the stream; older ones name only the hardware's queue.
std::int32_t stream_of(const json& record, const json& otherwise) {
  const auto stream = handle(record, "stream_id");
  return static_cast<std::int32_t>(stream >= 0 ? stream : handle(otherwise, "queue_id"));
}

std::uint32_t extent(const json& record, const char* key, const char* axis) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(whole(part(record, key), axis, 1), 0));
}

// The grid counts work-items here; other formats count blocks.
std::uint32_t blocks(const json& dispatch, const char* axis) {
  const auto items = extent(dispatch, "grid_size", axis), block = extent(dispatch, "workgroup_size", axis);
  return block == 0 ? 0 : items / block + (items % block == 0 ? 0 : 1);
}

void read_kernels(rocprof_document& document) {
  for (const auto& record : list(part(document.tool, "buffer_records"), "kernel_dispatch")) {
    const auto& info = part(record, "dispatch_info");
    trace::device_work work{
        .device = std::max(document.gpu(handle(info, "agent_id")), 0),
        .stream = stream_of(record, info),
        .process = document.process,
        .grid = {blocks(info, "x"), blocks(info, "y"), blocks(info, "z")},
        .block = {extent(info, "workgroup_size", "x"), extent(info, "workgroup_size", "y"),
                  extent(info, "workgroup_size", "z")},
        .shared_bytes = static_cast<std::uint32_t>(whole(info, "group_segment_size")),
        .local_bytes = static_cast<std::uint32_t>(whole(info, "private_segment_size"))};
    const auto track =
        document.builder.track_of(trace::track_kind::stream, document.process, work.stream, work.device);
    document.builder.add(
        document.event(record, category::kernel, document.kernel(whole(info, "kernel_id", -1)), track), work);
  }
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

void read_copies(rocprof_document& document) {
  for (const auto& record : list(part(document.tool, "buffer_records"), "memory_copy")) {
    const auto from = document.gpu(handle(record, "src_agent_id")),
               into = document.gpu(handle(record, "dst_agent_id"));
    const auto towards = direction_of(from, into);
    const trace::device_work work{.bytes = whole(record, "bytes"),
                                  .device = std::max(from < 0 ? into : from, 0),
                                  .stream = stream_of(record, record),
                                  .process = document.process,
                                  .copy = towards.kind};
    const auto track =
        document.builder.track_of(trace::track_kind::stream, document.process, work.stream, work.device);
    document.builder.add(document.event(record, category::copy, towards.name, track), work);
  }
}

}  // namespace

void read_device_work(rocprof_document& document) {
  read_kernels(document);
  read_copies(document);
}

}  // namespace ridge::backends::trace_rocprof_json
