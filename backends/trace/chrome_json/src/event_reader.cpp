// SPDX-License-Identifier: Apache-2.0
#include "event_reader.hpp"

#include "key_table.hpp"
#include "number.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

// FNV-1a, beyond what a real id is.
std::int64_t number_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return (std::int64_t{1} << 32) + hash;
}

const char* read_text_id(const char* at, json_text& in, id_number& into) {
  if ((at = read_text(at + 1, in, into.text)) == nullptr) return nullptr;
  const auto number = scaled_integer(into.text.text(), 0);
  into.value = number ? *number : number_of(into.text.text());
  if (number) into.text = {};
  return at;
}

const char* read_event_id(const char* at, json_text& in, id_number& into) {
  if (*at == '"') return read_text_id(at, in, into);
  std::optional<std::int64_t> number;
  at = read_integer(at, in, number);
  into.value = number.value_or(0);
  return at;
}

const char* read_name(const char* at, json_text& in, token& into) {
  if (*at == '"') return read_text(at + 1, in, into);
  const auto* end = skip_value(at, in);
  if (end != nullptr && *at != 'n') into = {at, end, true};
  return end;
}

// Times of more than 146 years are none: sums and differences of the others hold in 64 bits.
inline const char* read_event_time(const char* at, json_text& in, std::optional<std::int64_t>& into) {
  constexpr auto limit = std::int64_t{1} << 62;
  at = read_time(at, in, into);
  if (into && (*into <= -limit || *into >= limit)) [[unlikely]]
    into.reset();
  return at;
}

const char* read_phase(const char* at, json_text& in, event_fields& into) {
  if (*at == '"' && at[2] == '"' && at[1] != '\\') {
    into.phase = at[1];
    return at + 3;
  }
  return skip_value(at, in);
}

const char* read_event_args(const char* at, json_text& in, event_fields& into) {
  if (*at != '{') return skip_value(at, in);
  into.args = at + 1;
  return skip_object(at, in);
}

}  // namespace

event_reader::field event_reader::field_of(std::string_view key) {
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

const char* event_reader::read(const char* at, json_text& in, event_fields& into) {
  into = {};
  into.begin = at++;
  for (auto f = field::none;;) {
    at = next_value(f, at, in);
    if (at == nullptr || f == field::end) return at;
    if ((at = read_field(f, at, in, into)) == nullptr) return nullptr;
  }
}

// From behind the value of one field to the next value, or behind the event.
inline const char* event_reader::next_value(field& of, const char* at, json_text& in) {
  for (const auto& s : steps_[static_cast<std::size_t>(of)].known) {
    if (!s.between.stands_at(at)) continue;
    at += s.between.size();
    if (is_space(*at)) [[unlikely]]
      at = past_space(at);
    of = s.next;
    return at;
  }
  return learn_next(of, at, in);
}

const char* event_reader::learn_next(field& of, const char* at, json_text& in) {
  token key;
  const auto* value = read_key(at, in, key);
  if (value == nullptr && in.stopped != nullptr) return nullptr;
  auto& row = steps_[static_cast<std::size_t>(of)];
  of = value == nullptr ? field::end : field_of(key.text());
  if (value == nullptr) value = key.begin + 1;
  if (!key.plain) return value;
  row.known[row.oldest] = {{}, of};
  row.known[row.oldest].between.learn(at, value);
  row.oldest ^= 1;
  return value;
}

inline const char* event_reader::read_category(const char* at, json_text& in, event_fields& into) {
  for (const auto& known : categories_) {
    if (!known.quoted.stands_at(at)) continue;
    into.category = {at + 1, at + known.quoted.size() - 1, true};
    into.kind = known.kind;
    return at + known.quoted.size();
  }
  const auto* end = read_name(at, in, into.category);
  if (end == nullptr || !into.category.told()) return end;
  into.kind = category_of(into.category.text());
  if (*at == '"' && into.category.plain) {
    categories_[oldest_category_] = {{}, into.kind};
    categories_[oldest_category_].quoted.learn(at, end);
    oldest_category_ ^= 1;
  }
  return end;
}

inline const char* event_reader::read_field(field f, const char* at, json_text& in, event_fields& into) {
  switch (f) {
    case field::phase:
      return read_phase(at, in, into);
    case field::category:
      return read_category(at, in, into);
    case field::name:
      return read_name(at, in, into.name);
    case field::process:
      return read_event_id(at, in, into.process);
    case field::thread:
      return read_event_id(at, in, into.thread);
    case field::start:
      return read_event_time(at, in, into.start_ns);
    case field::duration:
      return read_event_time(at, in, into.duration_ns);
    case field::args:
      return read_event_args(at, in, into);
    case field::id:
      return read_event_id(at, in, into.id);
    default:
      return skip_value(at, in);
  }
}

}  // namespace ridge::backends::trace_chrome_json
