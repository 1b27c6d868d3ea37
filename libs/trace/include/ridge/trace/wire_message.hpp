// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ridge::trace {

// How a field's value is written. Groups, which no trace has, count as damage.
enum class wire_type : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

// One field of a message: a number, or bytes that are a text, a message or a packed list.
struct wire_field {
  std::uint32_t number = 0;
  wire_type type = wire_type::varint;
  std::uint64_t value = 0;  // of varint, fixed64 and fixed32
  std::string_view bytes{};

  // The value as a signed number; as written, not zigzag.
  [[nodiscard]] std::int64_t whole() const { return static_cast<std::int64_t>(value); }
  // The value as a number with a fraction; fixed64 holds a double.
  [[nodiscard]] double real() const { return std::bit_cast<double>(value); }
};

// A message in the wire format of protocol buffers, read field by field, in place: nothing is copied, and no
// read passes the end of `content`. Fields within fields are messages of their own, read by the caller.
class wire_message {
 public:
  // Reads `content`, which must outlive the message and what next() gives of it.
  explicit wire_message(std::string_view content)
      : begin_(content.data()), place_(content.data()), end_(content.data() + content.size()) {}

  // Reads the next field; false at the end and where the message is damaged.
  [[nodiscard]] bool next(wire_field& field) {
    if (place_ >= end_ || damaged_) return false;
    const auto* const start = place_;
    std::uint64_t tag = 0;
    if (read_varint(tag) && tag >> 3 != 0 && tag >> 32 == 0) {
      field.number = static_cast<std::uint32_t>(tag >> 3);
      field.type = static_cast<wire_type>(tag & 7U);
      if (read_value(field)) return true;
    }
    place_ = start;
    damaged_ = true;
    return false;
  }

  // Whether a field was cut off or of no known type. position() is then where it begins.
  [[nodiscard]] bool damaged() const { return damaged_; }
  // Of a damaged message: reads a field of bytes that is longer than what is left, as far as it goes. False
  // where something else is wrong.
  [[nodiscard]] bool take_cut(wire_field& field) {
    std::uint64_t tag = 0, length = 0;
    if (!damaged_ || !read_varint(tag) || (tag & 7U) != static_cast<unsigned>(wire_type::bytes) ||
        tag >> 35 != 0 || tag >> 3 == 0 || !read_varint(length) || length <= left())
      return false;
    field = {.number = static_cast<std::uint32_t>(tag >> 3),
             .type = wire_type::bytes,
             .bytes = {place_, static_cast<std::size_t>(left())}};
    place_ = end_;
    return true;
  }
  // Offset behind the last field.
  [[nodiscard]] std::uint64_t position() const { return static_cast<std::uint64_t>(place_ - begin_); }
  // Reads one number of a packed list, or of any place; false at the end and where it is cut off.
  [[nodiscard]] bool read_varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64 && place_ < end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*place_++);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::uint64_t left() const { return static_cast<std::uint64_t>(end_ - place_); }

  template <class Whole>
  [[nodiscard]] bool read_fixed(std::uint64_t& value) {
    Whole number = 0;
    if (left() < sizeof(number)) return false;
    std::memcpy(&number, place_, sizeof(number));
    place_ += sizeof(number);
    value = number;
    return true;
  }

  [[nodiscard]] bool read_value(wire_field& field) {
    switch (field.type) {
      case wire_type::varint:
        return read_varint(field.value);
      case wire_type::fixed64:
        return read_fixed<std::uint64_t>(field.value);
      case wire_type::fixed32:
        return read_fixed<std::uint32_t>(field.value);
      case wire_type::bytes: {
        std::uint64_t length = 0;
        if (!read_varint(length) || length > left()) return false;
        field.bytes = {place_, static_cast<std::size_t>(length)};
        place_ += length;
        return true;
      }
      default:
        return false;
    }
  }

  const char* begin_;
  const char* place_;
  const char* end_;
  bool damaged_ = false;
};

// Times further from zero than this, 146 years, are damage: sums and differences of others cannot overflow.
inline constexpr std::int64_t most_nanoseconds = std::int64_t{1} << 62;

// Returns whether a number of nanoseconds is near enough to zero to be a time.
[[nodiscard]] constexpr bool is_a_time(std::int64_t time_ns) {
  return time_ns > -most_nanoseconds && time_ns < most_nanoseconds;
}

}  // namespace ridge::trace
