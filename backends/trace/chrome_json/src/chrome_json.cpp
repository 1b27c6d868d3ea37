// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <ridge/trace/importer.hpp>

#include "document_reader.hpp"

namespace ridge::backends::trace_chrome_json {

const trace::importer& chrome_json();

namespace {

std::string_view without_mark_and_space(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const auto begin = std::ranges::find_if_not(head, is_space);
  return head.substr(static_cast<std::size_t>(begin - head.begin()));
}

bool is_binary(std::string_view head) {
  return std::ranges::any_of(head, [](char c) { return c >= '\0' && c < '\t'; });
}

bool has(std::string_view head, std::string_view part) { return head.find(part) != std::string_view::npos; }

class chrome_json_importer final : public trace::importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "chrome_json"; }

  // A protocol buffer may begin with a line feed and a bracket.
  [[nodiscard]] bool recognises(std::string_view head) const override {
    if (head.starts_with('\n') && is_binary(head.substr(0, 256))) return false;
    head = without_mark_and_space(head);
    if (head.empty() || (head.front() != '{' && head.front() != '[')) return false;
    if (head.front() == '[') return has(head, "\"ph\"") || has(head.substr(0, 256), "]");
    constexpr std::array<std::string_view, 4> signs{"\"traceEvents\"", "\"deviceProperties\"",
                                                    "\"displayTimeUnit\"", "\"distributedInfo\""};
    return head.size() == 1 || std::ranges::any_of(signs, [head](auto sign) { return has(head, sign); });
  }

  [[nodiscard]] result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                                          const trace::read_limits& limits) const override {
    origin.format = format();
    return read_trace(source, std::move(origin), limits);
  }
};

}  // namespace

const trace::importer& chrome_json() {
  static const chrome_json_importer one;
  return one;
}

}  // namespace ridge::backends::trace_chrome_json
