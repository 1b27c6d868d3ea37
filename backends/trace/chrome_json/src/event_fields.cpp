// SPDX-License-Identifier: Apache-2.0
#include "event_fields.hpp"

#include "key_table.hpp"
#include "number.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

enum class field : std::uint8_t {
  unknown,
  phase,
  category,
  name,
  process,
  thread,
  start,
  duration,
  args,
  id
};

field field_of(std::string_view key) {
  static const key_table<field> table({{"ph", field::phase},
                                       {"cat", field::category},
                                       {"name", field::name},
                                       {"pid", field::process},
                                       {"tid", field::thread},
                                       {"ts", field::start},
                                       {"dur", field::duration},
                                       {"args", field::args},
                                       {"id", field::id}},
                                      field::unknown);
  return table.find(key);
}

// FNV-1a, beyond what a real id is.
std::int64_t number_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return (std::int64_t{1} << 32) + hash;
}

const char* read_id(const char* at, json_text& in, id_number& into) {
  std::optional<std::int64_t> number;
  if (*at != '"') {
    at = read_integer(at, in, number);
    into = {number.value_or(0), {}};
    return at;
  }
  if ((at = read_text(at + 1, in, into.text)) == nullptr) return nullptr;
  number = scaled_integer(into.text.text(), 0);
  into.value = number ? *number : number_of(into.text.text());
  if (number) into.text = {};
  return at;
}

const char* read_name(const char* at, json_text& in, token& into) {
  if (*at == '"') return read_text(at + 1, in, into);
  const auto* end = skip_value(at, in);
  if (end != nullptr && *at != 'n') into = {at, end, true};
  return end;
}

const char* read_phase(const char* at, json_text& in, event_fields& into) {
  token t;
  at = read_name(at, in, t);
  if (at != nullptr && t.told() && t.size() == 1) into.phase = *t.begin;
  return at;
}

const char* read_category(const char* at, json_text& in, event_fields& into) {
  at = read_name(at, in, into.category);
  if (at != nullptr && into.category.told()) into.kind = category_of(into.category.text());
  return at;
}

const char* read_event_args(const char* at, json_text& in, event_fields& into) {
  if (*at != '{') return skip_value(at, in);
  into.args = at + 1;
  return skip_object(at, in);
}

const char* read_field(field f, const char* at, json_text& in, event_fields& into) {
  switch (f) {
    case field::phase:
      return read_phase(at, in, into);
    case field::category:
      return read_category(at, in, into);
    case field::name:
      return read_name(at, in, into.name);
    case field::process:
      return read_id(at, in, into.process);
    case field::thread:
      return read_id(at, in, into.thread);
    case field::start:
      return read_time(at, in, into.start_ns);
    case field::duration:
      return read_time(at, in, into.duration_ns);
    case field::args:
      return read_event_args(at, in, into);
    case field::id:
      return read_id(at, in, into.id);
    case field::unknown:
      break;
  }
  return skip_value(at, in);
}

}  // namespace

trace::category category_of(std::string_view text) {
  using c = trace::category;
  static const key_table<c> table({{"kernel", c::kernel},
                                   {"Kernel", c::kernel},
                                   {"gpu_memcpy", c::copy},
                                   {"Memcpy", c::copy},
                                   {"gpu_memset", c::fill},
                                   {"Memset", c::fill},
                                   {"cuda_runtime", c::api},
                                   {"cuda_driver", c::api},
                                   {"hip_runtime", c::api},
                                   {"xpu_runtime", c::api},
                                   {"mtia_runtime", c::api},
                                   {"privateuse1_runtime", c::api},
                                   {"privateuse1_driver", c::api},
                                   {"Runtime", c::api},
                                   {"cpu_op", c::op},
                                   {"Operator", c::op},
                                   {"user_annotation", c::annotation},
                                   {"gpu_user_annotation", c::device_annotation},
                                   {"python_function", c::python},
                                   {"cuda_sync", c::synchronization},
                                   {"cuda_event", c::device_event},
                                   {"overhead", c::overhead},
                                   {"cuda_profiler_range", c::counter_range}},
                                  c::other);
  return table.find(text);
}

bool needs_args(char phase, trace::category kind) {
  switch (phase) {
    case 'X':
    case 'B':
      return kind != trace::category::python && kind != trace::category::overhead;
    case 'i':
    case 'I':
    case 'C':
    case 'M':
      return true;
    default:
      return false;
  }
}

const char* read_event(const char* at, json_text& in, event_fields& into) {
  into = {};
  into.begin = at++;
  for (token key;;) {
    const auto* value = read_key(at, in, key);
    if (value == nullptr) return in.stopped == nullptr ? key.begin + 1 : nullptr;
    if ((at = read_field(field_of(key.text()), value, in, into)) == nullptr) return nullptr;
  }
}

}  // namespace ridge::backends::trace_chrome_json
