// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reading.hpp"

namespace ridge::backends::trace_pftrace {
namespace {

using trace::wire_field;
using trace::wire_type;

struct gpu_value {
  std::int64_t counter = 0;
  double value = 0;
};

gpu_value read_gpu_value(std::string_view message) {
  gpu_value v;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 1) v.counter = f.whole();
    if (f.number == 2) v.value = static_cast<double>(f.whole());
    if (f.number == 3 && f.type == wire_type::fixed64) v.value = f.real();
  }
  return v;
}

// A GpuCounterDescriptor: specs in field 1, of a number in field 1 and a name in field 2.
void read_counter_names(pftrace_reading& reading, std::string_view message, std::int32_t device) {
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number != 1 || f.type != wire_type::bytes) continue;
    std::int64_t counter = 0;
    std::string_view name;
    trace::wire_message spec(f.bytes);
    for (wire_field s; spec.next(s);) {
      if (s.number == 1 && s.type == wire_type::varint) counter = s.whole();
      if (s.number == 2 && s.type == wire_type::bytes) name = s.bytes;
    }
    reading.counter_names.insert_or_assign({device, counter}, std::string(name));
  }
}

}  // namespace

void read_gpu_counters(pftrace_reading& reading, std::string_view message, trace::nanoseconds time) {
  std::int32_t device = 0;
  std::string_view descriptor;
  std::vector<gpu_value> values;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 1 && f.type == wire_type::bytes) descriptor = f.bytes;
    if (f.number == 2 && f.type == wire_type::bytes) values.push_back(read_gpu_value(f.bytes));
    if (f.number == 3 && f.type == wire_type::varint) device = static_cast<std::int32_t>(f.value);
  }
  read_counter_names(reading, descriptor, device);
  for (const auto& v : values) {
    const auto at = reading.counter_names.find({device, v.counter});
    const auto name =
        at == reading.counter_names.end() ? fmt::format("GPU counter {}", v.counter) : at->second;
    const auto series = reading.builder.series(reading.builder.intern(name), device);
    reading.builder.add(trace::counter_value{.time_ns = time, .value = v.value, .series = series});
  }
}

}  // namespace ridge::backends::trace_pftrace
