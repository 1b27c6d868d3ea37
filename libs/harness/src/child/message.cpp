// SPDX-License-Identifier: Apache-2.0
#include "child/message.hpp"

#include <cstring>

namespace ridge::harness {
namespace {

// Layout: "ridge-message-1", then one value. A value is a letter for its type and its content; whatever has a
// length starts with it, as 8 bytes.
constexpr std::string_view head = "ridge-message-1";
constexpr int deepest = 64;  // nested values; more is damage, and would use up the stack

enum class kind : char { truth = 'b', whole = 'i', real = 'd', text = 's', list = 'l', record = 'r' };

class message_writer {
 public:
  void operator()(bool x) { type(kind::truth), bytes_ += x ? '\1' : '\0'; }
  void operator()(std::int64_t x) { type(kind::whole), raw(x); }
  void operator()(double x) { type(kind::real), raw(x); }
  void operator()(const std::string& x) { type(kind::text), text(x); }
  void operator()(const message_value::list& all) {
    type(kind::list), raw(static_cast<std::uint64_t>(all.size()));
    for (const auto& one : all) put(one);
  }
  void operator()(const message_value::record& all) {
    type(kind::record), raw(static_cast<std::uint64_t>(all.size()));
    for (const auto& one : all) text(one.name), put(one.value);
  }
  void put(const message_value& x) { std::visit(*this, x.value); }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void type(kind of_value) { bytes_ += static_cast<char>(of_value); }
  template <class T>
  void raw(T x) {
    char copy[sizeof x];
    std::memcpy(copy, &x, sizeof x);
    bytes_.append(copy, sizeof x);
  }
  void text(std::string_view x) { raw(static_cast<std::uint64_t>(x.size())), bytes_ += x; }

  std::string bytes_{head};
};

class message_parser {
 public:
  explicit message_parser(std::string_view bytes) : rest_(bytes) {}

  message_value whole() {
    if (take(head.size()) != head) throw detail::unexpected_message{"the message does not start as one"};
    auto made = value(0);
    if (!rest_.empty()) throw detail::unexpected_message{"the message has more bytes than it declares"};
    return made;
  }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw detail::unexpected_message{"the message is truncated"};
    const auto taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <class T>
  T raw() {
    T x;
    std::memcpy(&x, take(sizeof x).data(), sizeof x);
    return x;
  }
  std::string text() { return std::string(take(raw<std::uint64_t>())); }

  message_value::list list(int depth) {
    message_value::list all;
    for (auto left = raw<std::uint64_t>(); left > 0; --left) all.push_back(value(depth + 1));
    return all;
  }
  message_value::record record(int depth) {
    message_value::record all;
    for (auto left = raw<std::uint64_t>(); left > 0; --left) {
      auto name = text();
      all.push_back({std::move(name), value(depth + 1)});
    }
    return all;
  }
  bool truth() {
    const char byte = take(1).front();
    if (byte != 0 && byte != 1)
      throw detail::unexpected_message{"the message holds an impossible truth value"};
    return byte == 1;
  }

  message_value value(int depth) {
    if (depth > deepest) throw detail::unexpected_message{"the message is nested too deeply"};
    switch (static_cast<kind>(take(1).front())) {
      case kind::truth:
        return {truth()};
      case kind::whole:
        return {raw<std::int64_t>()};
      case kind::real:
        return {raw<double>()};
      case kind::text:
        return {text()};
      case kind::list:
        return {list(depth)};
      case kind::record:
        return {record(depth)};
    }
    throw detail::unexpected_message{"the message holds a value of an unknown type"};
  }

  std::string_view rest_;
};

}  // namespace

namespace detail {

const message_value& field_of(const message_value::record& record, std::string_view name) {
  for (const auto& field : record) {
    if (field.name == name) return field.value;
  }
  throw unexpected_message{"the message lacks the field \"" + std::string(name) + '"'};
}

void refuse_type(std::string_view expected) {
  throw unexpected_message{"the message holds a value of another type where " + std::string(expected) +
                           " is expected"};
}

}  // namespace detail

std::string message_bytes(const message_value& value) {
  message_writer writer;
  writer.put(value);
  return writer.take();
}

result<message_value> message_in(std::string_view bytes) {
  try {
    return message_parser(bytes).whole();
  } catch (const detail::unexpected_message& refused) {
    return error{refused.fault, "the process that wrote it ended early"};
  }
}

}  // namespace ridge::harness
