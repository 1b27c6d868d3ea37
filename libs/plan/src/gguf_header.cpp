// SPDX-License-Identifier: Apache-2.0
#include "gguf_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "saturating.hpp"

namespace ridge::plan {
namespace {

constexpr std::int64_t most_header_bytes = std::int64_t{1} << 30, most_tensors = 1 << 20,
                       most_members = 1 << 16;
constexpr std::uint64_t longest_name = 4096, longest_text = 1 << 16, longest_kept_list = 8192;
constexpr std::int64_t most_elements = std::int64_t{1} << 56;

enum class value_type : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

std::int64_t size_of(value_type type) {
  constexpr std::array<std::int64_t, 13> sizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  const auto index = static_cast<std::size_t>(type);
  return index < sizes.size() ? sizes[index] : 0;
}

template <class T>
T number_of(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// The number behind the bytes; whole ones beyond 2^63 become the greatest.
gguf_value number_of(value_type type, const char* bytes) {
  switch (type) {
    case value_type::u8:
      return std::int64_t{number_of<std::uint8_t>(bytes)};
    case value_type::i8:
      return std::int64_t{number_of<std::int8_t>(bytes)};
    case value_type::u16:
      return std::int64_t{number_of<std::uint16_t>(bytes)};
    case value_type::i16:
      return std::int64_t{number_of<std::int16_t>(bytes)};
    case value_type::u32:
      return std::int64_t{number_of<std::uint32_t>(bytes)};
    case value_type::i32:
      return std::int64_t{number_of<std::int32_t>(bytes)};
    case value_type::u64:
      return static_cast<std::int64_t>(std::min(number_of<std::uint64_t>(bytes), std::uint64_t{1} << 62));
    case value_type::i64:
      return number_of<std::int64_t>(bytes);
    case value_type::f32:
      return double{number_of<float>(bytes)};
    case value_type::f64:
      return number_of<double>(bytes);
    case value_type::boolean:
      return *bytes != 0;
    case value_type::text:
    case value_type::list:
      break;
  }
  return {};
}

// Reads forward; once something is wrong, everything reads as zero.
class header_reader {
 public:
  header_reader(std::istream& stream, std::int64_t file_bytes, std::string_view file)
      : stream_(stream), left_(std::min(file_bytes, most_header_bytes)), file_(file) {}

  [[nodiscard]] bool wrong() const { return wrong_.has_value(); }
  [[nodiscard]] const error& why() const { return *wrong_; }
  [[nodiscard]] std::int64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t left() const { return static_cast<std::uint64_t>(left_); }

  void refuse(const std::string& fault) {
    if (!wrong_)
      wrong_ = error{fmt::format("{}: byte {}: {}", file_, position_, fault),
                     "fetch the file again, or give the model's config.json"};
  }

  template <class T>
  T number() {
    std::array<char, sizeof(T)> bytes{};
    take(bytes.data(), sizeof(T));
    return number_of<T>(bytes.data());
  }

  std::string text(std::uint64_t longest) {
    const auto length = number<std::uint64_t>();
    if (length > longest) {
      if (longest == longest_name) refuse(fmt::format("a name of {} bytes", length));
      skip(length);
      return "";
    }
    std::string made(static_cast<std::size_t>(std::min(length, left())), '\0');
    if (length > left()) refuse(fmt::format("a text of {} bytes, of which {} are there", length, left()));
    take(made.data(), made.size());
    return made;
  }

  gguf_value value(value_type type) {
    if (type == value_type::text) return text(longest_text);
    if (type == value_type::list) return list();
    const auto size = size_of(type);
    if (size == 0) refuse(fmt::format("a value of the unknown type {}", static_cast<std::uint32_t>(type)));
    std::array<char, 8> bytes{};
    take(bytes.data(), static_cast<std::size_t>(size));
    return number_of(type, bytes.data());
  }

 private:
  gguf_value list() {
    const auto type = static_cast<value_type>(number<std::uint32_t>());
    const auto count = number<std::uint64_t>();
    const auto size = type == value_type::text ? 8 : size_of(type);
    if (size == 0) refuse(fmt::format("a list of the type {}", static_cast<std::uint32_t>(type)));
    if (wrong() || count > left() / static_cast<std::uint64_t>(size)) {
      refuse(fmt::format("a list of {} values, more than the file holds", count));
      return {};
    }
    if (type == value_type::text) {
      for (std::uint64_t i = 0; i < count && !wrong(); ++i) skip(number<std::uint64_t>());
      return {};
    }
    const bool real = type == value_type::f32 || type == value_type::f64;
    if (!real && count <= longest_kept_list) return whole_numbers(type, count);
    skip(count * static_cast<std::uint64_t>(size));
    return {};
  }

  std::vector<std::int64_t> whole_numbers(value_type type, std::uint64_t count) {
    std::vector<std::int64_t> all;
    for (std::uint64_t i = 0; i < count && !wrong(); ++i) {
      const auto one = value(type);
      const auto* truth = std::get_if<bool>(&one);
      const auto* whole = std::get_if<std::int64_t>(&one);
      all.push_back(truth != nullptr ? *truth : whole != nullptr ? *whole : 0);
    }
    return all;
  }

  void take(char* bytes, std::size_t count) {
    if (!wrong() && count > left()) refuse("the header ends here");
    if (wrong()) return;
    stream_.read(bytes, static_cast<std::streamsize>(count));
    if (static_cast<std::size_t>(stream_.gcount()) != count) refuse("the file cannot be read further");
    moved(count);
  }

  void skip(std::uint64_t count) {
    if (!wrong() && count > left()) refuse(fmt::format("{} bytes are stated, {} are left", count, left()));
    if (wrong()) return;
    stream_.ignore(static_cast<std::streamsize>(count));
    moved(count);
  }

  void moved(std::uint64_t count) {
    position_ += static_cast<std::int64_t>(count);
    left_ -= static_cast<std::int64_t>(count);
  }

  std::istream& stream_;
  std::int64_t left_ = 0, position_ = 0;
  std::string file_;
  std::optional<error> wrong_{};
};

void read_dimensions(header_reader& from, gguf_tensor& t) {
  constexpr std::uint32_t most_dimensions = 8;
  const auto count = from.number<std::uint32_t>();
  if (count == 0 || count > most_dimensions)
    return from.refuse(fmt::format("a tensor of {} dimensions", count));
  saturating elements = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto size = from.number<std::uint64_t>();
    if (size == 0 || size > static_cast<std::uint64_t>(most_elements))
      from.refuse(fmt::format("a dimension of {}", size));
    if (from.wrong()) return;
    t.dimensions.push_back(static_cast<std::int64_t>(size));
    elements = elements * static_cast<std::int64_t>(size);
  }
  if (elements.value() > most_elements) from.refuse("a tensor of more than 2^56 elements");
  t.elements = elements.value();
}

gguf_tensor read_tensor(header_reader& from) {
  gguf_tensor t{.name = from.text(longest_name)};
  read_dimensions(from, t);
  if (from.wrong()) return t;
  const auto number = from.number<std::uint32_t>();
  const auto type = ggml_type_of(number);
  if (!type) from.refuse(fmt::format("the tensor {} has the unknown type {}", t.name.substr(0, 60), number));
  const auto offset = from.number<std::uint64_t>();
  if (offset > static_cast<std::uint64_t>(most_elements))
    from.refuse(fmt::format("a tensor at byte {}", offset));
  if (from.wrong()) return t;
  if (t.dimensions.front() % type->block_elements != 0)
    from.refuse(fmt::format("rows of {} elements are not whole blocks of {}", t.dimensions.front(),
                            type->block_elements));
  t.type = *type;
  t.bytes = (saturating(t.elements / type->block_elements) * type->block_bytes).value();
  t.offset = static_cast<std::int64_t>(offset);
  return t;
}

// The version and the two counts.
struct gguf_counts {
  std::uint64_t tensors = 0, members = 0;
};

gguf_counts read_counts(header_reader& from) {
  const auto magic = from.number<std::uint32_t>(), version = from.number<std::uint32_t>();
  constexpr std::uint32_t gguf = 0x46554747;
  if (magic != gguf) from.refuse("this is no GGUF file");
  if (version == 0x02000000 || version == 0x03000000) from.refuse("big-endian GGUF is not read");
  if (version != 2 && version != 3) from.refuse(fmt::format("version {} of GGUF; 2 and 3 are read", version));
  const gguf_counts n{from.number<std::uint64_t>(), from.number<std::uint64_t>()};
  constexpr std::uint64_t least_tensor = 24, least_member = 13;
  if (n.tensors > std::min<std::uint64_t>(most_tensors, from.left() / least_tensor))
    from.refuse(fmt::format("{} tensors, more than the file holds", n.tensors));
  if (n.members > std::min<std::uint64_t>(most_members, from.left() / least_member))
    from.refuse(fmt::format("{} members, more than the file holds", n.members));
  return n;
}

}  // namespace

std::int64_t whole_of(const gguf_header& header, std::string_view name) {
  const auto at = header.metadata.find(name);
  const auto* whole = at == header.metadata.end() ? nullptr : std::get_if<std::int64_t>(&at->second);
  return whole != nullptr && *whole > 0 && *whole <= (std::int64_t{1} << 40) ? *whole : 0;
}

result<gguf_header> read_gguf_header(std::istream& stream, std::int64_t file_bytes, std::string_view file) {
  header_reader from(stream, file_bytes, file);
  const auto counts = read_counts(from);
  gguf_header header;
  for (std::uint64_t i = 0; i < counts.members && !from.wrong(); ++i) {
    auto name = from.text(longest_name);
    const auto type = static_cast<value_type>(from.number<std::uint32_t>());
    header.metadata[std::move(name)] = from.value(type);
  }
  std::int64_t end = 0;
  for (std::uint64_t i = 0; i < counts.tensors && !from.wrong(); ++i) {
    header.tensors.push_back(read_tensor(from));
    end = std::max(end, (saturating(header.tensors.back().offset) + header.tensors.back().bytes).value());
  }
  if (from.wrong()) return from.why();
  header.truncated = end > file_bytes - from.position();
  return header;
}

}  // namespace ridge::plan
