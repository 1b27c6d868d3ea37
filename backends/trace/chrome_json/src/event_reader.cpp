// SPDX-License-Identifier: Apache-2.0
#include "event_reader.hpp"

#include "key_table.hpp"
#include "number.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

// FNV-1a, made larger than any real id.
std::int64_t number_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return (std::int64_t{1} << 32) + hash;
}

const char* read_text_id(const char* position, json_text& text, id_number& id) {
  position = read_text(position + 1, text, id.text);
  if (position == nullptr) return nullptr;
  const auto number = scaled_integer(id.text.text(), 0);
  id.value = number ? *number : number_of(id.text.text());
  if (number) id.text = {};
  return position;
}

const char* read_event_id(const char* position, json_text& text, id_number& id) {
  if (*position == '"') return read_text_id(position, text, id);
  std::optional<std::int64_t> number;
  position = read_integer(position, text, number);
  id.value = number.value_or(0);
  return position;
}

const char* read_name(const char* position, json_text& text, token& value) {
  if (*position == '"') return read_text(position + 1, text, value);
  const auto* end = skip_value(position, text);
  if (end != nullptr && *position != 'n') value = {position, end, true};
  return end;
}

// Times of more than 146 years are dropped, so that sums and differences of the others fit into 64 bits.
inline const char* read_event_time(const char* position, json_text& text,
                                   std::optional<std::int64_t>& value) {
  constexpr auto limit = std::int64_t{1} << 62;
  position = read_time(position, text, value);
  if (value && (*value <= -limit || *value >= limit)) [[unlikely]]
    value.reset();
  return position;
}

const char* read_phase(const char* position, json_text& text, event_fields& fields) {
  if (*position == '"' && position[2] == '"' && position[1] != '\\') {
    fields.phase = position[1];
    return position + 3;
  }
  return skip_value(position, text);
}

const char* read_event_args(const char* position, json_text& text, event_fields& fields) {
  if (*position != '{') return skip_value(position, text);
  fields.args = position + 1;
  return skip_object(position, text);
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

const char* event_reader::read(const char* position, json_text& text, event_fields& fields) {
  fields = {};
  fields.begin = position++;
  for (auto f = field::none;;) {
    position = next_value(f, position, text);
    if (position == nullptr || f == field::end) return position;
    position = read_field(f, position, text, fields);
    if (position == nullptr) return nullptr;
  }
}

// Moves from behind the value of one field to the next value, or behind the event.
inline const char* event_reader::next_value(field& expected, const char* position, json_text& text) {
  for (const auto& s : steps_[static_cast<std::size_t>(expected)].known) {
    if (!s.between.stands_at(position)) continue;
    position += s.between.size();
    if (is_space(*position)) [[unlikely]]
      position = past_space(position);
    expected = s.next;
    return position;
  }
  return learn_next(expected, position, text);
}

const char* event_reader::learn_next(field& expected, const char* position, json_text& text) {
  token key;
  const auto* value = read_key(position, text, key);
  if (value == nullptr && text.stopped != nullptr) return nullptr;
  auto& row = steps_[static_cast<std::size_t>(expected)];
  expected = value == nullptr ? field::end : field_of(key.text());
  if (value == nullptr) value = key.begin + 1;
  if (!key.plain) return value;
  row.known[row.oldest] = {{}, expected};
  row.known[row.oldest].between.learn(position, value);
  row.oldest ^= 1;
  return value;
}

inline const char* event_reader::read_category(const char* position, json_text& text, event_fields& fields) {
  for (const auto& known : categories_) {
    if (!known.quoted.stands_at(position)) continue;
    fields.category = {position + 1, position + known.quoted.size() - 1, true};
    fields.kind = known.kind;
    return position + known.quoted.size();
  }
  const auto* end = read_name(position, text, fields.category);
  if (end == nullptr || !fields.category.told()) return end;
  fields.kind = category_of(fields.category.text());
  if (*position == '"' && fields.category.plain) {
    categories_[oldest_category_] = {{}, fields.kind};
    categories_[oldest_category_].quoted.learn(position, end);
    oldest_category_ ^= 1;
  }
  return end;
}

inline const char* event_reader::read_field(field f, const char* position, json_text& text,
                                            event_fields& fields) {
  switch (f) {
    case field::phase:
      return read_phase(position, text, fields);
    case field::category:
      return read_category(position, text, fields);
    case field::name:
      return read_name(position, text, fields.name);
    case field::process:
      return read_event_id(position, text, fields.process);
    case field::thread:
      return read_event_id(position, text, fields.thread);
    case field::start:
      return read_event_time(position, text, fields.start_ns);
    case field::duration:
      return read_event_time(position, text, fields.duration_ns);
    case field::args:
      return read_event_args(position, text, fields);
    case field::id:
      return read_event_id(position, text, fields.id);
    default:
      return skip_value(position, text);
  }
}

}  // namespace ridge::backends::trace_chrome_json
