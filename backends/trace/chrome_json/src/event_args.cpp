// SPDX-License-Identifier: Apache-2.0
#include "event_args.hpp"

#include <limits>

#include "key_table.hpp"
#include "number.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

using reader = const char* (*)(const char* position, json_text& text, event_args& arguments);

template <integer event_args::*Field>
const char* whole(const char* position, json_text& text, event_args& arguments) {
  return read_integer(position, text, arguments.*Field);
}

template <real event_args::*Field>
const char* read_number(const char* position, json_text& text, event_args& arguments) {
  return read_real(position, text, arguments.*Field);
}

const char* read_token(const char* position, json_text& text, token& value) {
  if (*position == '"') return read_text(position + 1, text, value);
  const auto* end = skip_value(position, text);
  if (end != nullptr && *position != 'n') value = {position, end, true};
  return end;
}

template <token event_args::*Field>
const char* read_text(const char* position, json_text& text, event_args& arguments) {
  return read_token(position, text, arguments.*Field);
}

template <std::array<std::uint32_t, 3> event_args::*Field>
const char* extent(const char* position, json_text& text, event_args& arguments) {
  if (*position != '[') return skip_value(position, text);
  const auto* list = position++;
  for (auto& side : arguments.*Field) {
    integer value;
    position = past_space(position);
    if (*position < '0' || *position > '9') break;
    position = read_integer(position, text, value);
    if (position == nullptr) break;
    if (value && *value <= std::numeric_limits<std::uint32_t>::max())
      side = static_cast<std::uint32_t>(*value);
    position = past_space(position);
    position += *position == ',';
  }
  return skip_value(list, text);
}

const char* flag(const char* position, json_text& text, event_args& arguments) {
  token t;
  position = read_token(position, text, t);
  if (position != nullptr && t.told())
    arguments.asynchronous = *t.begin == 't' || *t.begin == 'T' || *t.begin == '1';
  return position;
}

const char* skipped(const char* position, json_text& text, event_args&) { return skip_value(position, text); }

const key_table<reader>& readers() {
  using a = event_args;
  static const key_table<reader> table({{"correlation", whole<&a::correlation>},
                                        {"External id", whole<&a::external>},
                                        {"external id", whole<&a::external>},
                                        {"device", whole<&a::device>},
                                        {"stream", whole<&a::stream>},
                                        {"context", whole<&a::context>},
                                        {"process", whole<&a::process>},
                                        {"bytes", whole<&a::bytes>},
                                        {"registers per thread", whole<&a::registers>},
                                        {"shared memory", whole<&a::shared_bytes>},
                                        {"local memory per thread", whole<&a::local_bytes>},
                                        {"graph id", whole<&a::graph>},
                                        {"graph node id", whole<&a::graph_node>},
                                        {"blocks per SM", read_number<&a::blocks_per_sm>},
                                        {"warps per SM", read_number<&a::warps_per_sm>},
                                        {"est. achieved occupancy %", read_number<&a::occupancy>},
                                        {"memory bandwidth (GB/s)", read_number<&a::gb_per_s>},
                                        {"grid", extent<&a::grid>},
                                        {"block", extent<&a::block>},
                                        {"Sequence number", whole<&a::sequence>},
                                        {"Fwd thread id", whole<&a::forward_thread>},
                                        {"Input Dims", read_text<&a::input_dims>},
                                        {"Input dims", read_text<&a::input_dims>},
                                        {"Input type", read_text<&a::input_types>},
                                        {"Input Strides", read_text<&a::input_strides>},
                                        {"Concrete Inputs", read_text<&a::concrete_inputs>},
                                        {"cuda_sync_kind", read_text<&a::sync_kind>},
                                        {"wait_on_stream", whole<&a::wait_on_stream>},
                                        {"wait_on_cuda_event_record_corr_id", whole<&a::wait_on_correlation>},
                                        {"wait_on_cuda_event_id", whole<&a::event>},
                                        {"event_id", whole<&a::event>},
                                        {"Collective name", read_text<&a::collective>},
                                        {"dtype", read_text<&a::dtype>},
                                        {"In msg nelems", whole<&a::in_elements>},
                                        {"Out msg nelems", whole<&a::out_elements>},
                                        {"Group size", whole<&a::group_size>},
                                        {"Process Group Name", read_text<&a::group>},
                                        {"Process Group Description", read_text<&a::group_description>},
                                        {"Process Group Ranks", read_text<&a::ranks>},
                                        {"Seq", whole<&a::collective_sequence>},
                                        {"Src Rank", whole<&a::source_rank>},
                                        {"Dst Rank", whole<&a::target_rank>},
                                        {"Is asynchronized op", flag},
                                        {"Addr", whole<&a::address>},
                                        {"Bytes", whole<&a::bytes>},
                                        {"Total Allocated", whole<&a::total_allocated>},
                                        {"Total Reserved", whole<&a::total_reserved>},
                                        {"Device Type", whole<&a::device_type>},
                                        {"Device Id", whole<&a::device_id>},
                                        {"name", read_text<&a::name>},
                                        {"labels", read_text<&a::labels>}},
                                       skipped);
  return table;
}

}  // namespace

const char* read_args(const char* position, json_text& text, event_args& arguments) {
  static const auto& table = readers();
  for (token key;;) {
    const auto* value = read_key(position, text, key);
    if (value == nullptr) return text.stopped == nullptr ? key.begin + 1 : nullptr;
    position = table.find(key.text())(value, text, arguments);
    if (position == nullptr) return nullptr;
  }
}

const char* read_counter_arg(const char* position, json_text& text, counter_arg& argument) {
  for (argument.key = {};;) {
    token key;
    const auto* value = read_key(position, text, key);
    if (value == nullptr) return text.stopped == nullptr ? key.begin + 1 : nullptr;
    real number;
    position = read_real(value, text, number);
    if (position == nullptr) return nullptr;
    if (!number) continue;
    argument = {key, *number};
    return position;
  }
}

}  // namespace ridge::backends::trace_chrome_json
