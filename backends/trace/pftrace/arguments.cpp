// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include <ridge/trace/wire_message.hpp>

namespace ridge::backends::trace_pftrace {
namespace {

using trace::wire_field;
using trace::wire_type;
using setter = void (*)(event_arguments&, const argument_value&);

template <std::optional<std::int64_t> event_arguments::*Field>
void whole(event_arguments& a, const argument_value& v) {
  if (v.whole) a.*Field = v.whole;
}

template <std::optional<double> event_arguments::*Field>
void real(event_arguments& a, const argument_value& v) {
  if (v.real) a.*Field = v.real;
}

template <std::string event_arguments::*Field>
void text(event_arguments& a, const argument_value& v) {
  a.*Field = v.text;
}

template <std::array<std::uint32_t, 3> event_arguments::*Field>
void sides(event_arguments& a, const argument_value& v) {
  if (v.is_list) a.*Field = v.sides;
}

// rocprofv3 writes the whole number of work-items, which is no list.
template <std::array<std::uint32_t, 3> event_arguments::*Sides,
          std::optional<std::int64_t> event_arguments::*Items>
void sides_or_items(event_arguments& a, const argument_value& v) {
  if (v.is_list)
    a.*Sides = v.sides;
  else
    a.*Items = v.whole;
}

// Static and dynamic parts stand apart where the whole does not.
void add_shared(event_arguments& a, const argument_value& v) {
  if (v.whole && *v.whole >= 0 && *v.whole < std::int64_t{1} << 32)
    a.shared_bytes = a.shared_bytes.value_or(0) + *v.whole;
}

const std::unordered_map<std::string_view, setter>& setters() {
  using a = event_arguments;
  static const std::unordered_map<std::string_view, setter> all{
      {"correlation", whole<&a::correlation>},
      {"corr_id", whole<&a::correlation>},
      {"correlation_id", whole<&a::correlation>},
      {"External id", whole<&a::external>},
      {"external id", whole<&a::external>},
      {"device", whole<&a::device>},
      {"stream", whole<&a::stream>},
      {"queue", whole<&a::queue>},
      {"context", whole<&a::context>},
      {"bytes", whole<&a::bytes>},
      {"copy_bytes", whole<&a::bytes>},
      {"registers per thread", whole<&a::registers>},
      {"registers_per_thread", whole<&a::registers>},
      {"shared memory", whole<&a::shared_bytes>},
      {"group_segment_size", whole<&a::shared_bytes>},
      {"shared_mem_static", add_shared},
      {"shared_mem_dynamic", add_shared},
      {"local memory per thread", whole<&a::local_bytes>},
      {"private_segment_size", whole<&a::local_bytes>},
      {"graph id", whole<&a::graph>},
      {"graph node id", whole<&a::graph_node>},
      {"est. achieved occupancy %", real<&a::occupancy_percent>},
      {"memory bandwidth (GB/s)", real<&a::gb_per_s>},
      {"grid", sides<&a::grid>},
      {"block", sides<&a::block>},
      {"grid_size", sides_or_items<&a::grid, &a::items>},
      {"workgroup_size", sides_or_items<&a::block, &a::workgroup_items>},
      {"Sequence number", whole<&a::sequence>},
      {"Fwd thread id", whole<&a::forward_thread>},
      {"Input Dims", text<&a::dims>},
      {"Input type", text<&a::types>},
      {"Input Strides", text<&a::strides>},
      {"Concrete Inputs", text<&a::concrete>},
      {"src_agent", text<&a::source_agent>},
      {"dst_agent", text<&a::target_agent>},
      {"Collective name", text<&a::collective>},
      {"dtype", text<&a::dtype>},
      {"In msg nelems", whole<&a::in_elements>},
      {"Out msg nelems", whole<&a::out_elements>},
      {"Group size", whole<&a::group_size>},
      {"Seq", whole<&a::collective_sequence>},
      {"Process Group Name", text<&a::group>},
      {"Process Group Description", text<&a::group_description>},
      {"Process Group Ranks", text<&a::ranks>}};
  return all;
}

void set_whole(argument_value& v, std::int64_t number) {
  v.whole = number;
  v.real = static_cast<double>(number);
}

void set_text(argument_value& v, std::string_view given) {
  v.text = given;
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (failed == std::errc{} && end == given.data() + given.size() && !given.empty()) set_whole(v, number);
}

argument_value read_value(std::string_view message, const interned_data& names, std::string_view& name,
                          int depth);

void append(std::string& list, std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  list.append(digits.data(), end);
}

// Lists in lists are written as JSON, two deep and no more.
void add_element(argument_value& list, std::string_view message, const interned_data& names,
                 std::size_t index, int depth) {
  std::string_view unnamed;
  const auto element = depth > 0 ? read_value(message, names, unnamed, depth - 1) : argument_value{};
  if (index < 3 && element.whole && *element.whole >= 0)
    list.sides[index] = static_cast<std::uint32_t>(*element.whole);
  if (index > 0) list.text += ", ";
  if (element.is_list)
    list.text += element.text;
  else if (element.whole)
    append(list.text, *element.whole);
  else if (element.real)
    list.text += fmt::format("{}", *element.real);
  else
    list.text += element.text.empty() ? "null" : fmt::format("\"{}\"", element.text);
}

argument_value read_value(std::string_view message, const interned_data& names, std::string_view& name,
                          int depth) {
  argument_value v;
  std::size_t elements = 0;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    const bool bytes = f.type == wire_type::bytes;
    if (f.number == 1 && !bytes) name = names.text(interned_kind::annotation_name, f.value);
    if (f.number == 10 && bytes) name = f.bytes;
    if ((f.number == 2 || f.number == 3 || f.number == 4 || f.number == 7) && !bytes) set_whole(v, f.whole());
    if (f.number == 5 && f.type == wire_type::fixed64) v.real = f.real();
    if ((f.number == 6 || f.number == 9) && bytes) set_text(v, f.bytes);
    if (f.number == 17 && !bytes) set_text(v, names.text(interned_kind::annotation_text, f.value));
    if (f.number == 12 && bytes) add_element(v, f.bytes, names, elements++, depth);
  }
  v.is_list = elements > 0;
  if (v.is_list) {
    v.text.insert(0, 1, '[');
    v.text += ']';
  }
  return v;
}

}  // namespace

void set_argument(event_arguments& arguments, std::string_view name, const argument_value& value) {
  const auto at = setters().find(name);
  if (at != setters().end()) at->second(arguments, value);
}

void read_annotation(event_arguments& arguments, std::string_view message, const interned_data& names) {
  constexpr int lists_in_lists = 2;
  std::string_view name;
  const auto value = read_value(message, names, name, lists_in_lists);
  set_argument(arguments, name, value);
}

void read_compute_argument(event_arguments& arguments, std::string_view message, const interned_data& names) {
  std::string_view name;
  argument_value value;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    const bool bytes = f.type == wire_type::bytes;
    if (f.number == 1 && !bytes) name = names.text(interned_kind::argument_name, f.value);
    if (f.number == 2 && bytes) name = f.bytes;
    if ((f.number == 3 || f.number == 4) && !bytes) set_whole(value, f.whole());
    if (f.number == 5 && f.type == wire_type::fixed64) value.real = f.real();
    if (f.number == 6 && bytes) set_text(value, f.bytes);
    if (f.number == 7 && !bytes) set_text(value, names.text(interned_kind::annotation_text, f.value));
  }
  set_argument(arguments, name, value);
}

void read_extra_data(event_arguments& arguments, std::string_view message) {
  std::string_view name;
  argument_value value;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 1 && f.type == wire_type::bytes) name = f.bytes;
    if (f.number == 2 && f.type == wire_type::bytes) set_text(value, f.bytes);
  }
  set_argument(arguments, name, value);
}

}  // namespace ridge::backends::trace_pftrace
