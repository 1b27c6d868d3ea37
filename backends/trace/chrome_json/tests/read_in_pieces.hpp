// SPDX-License-Identifier: Apache-2.0
// Reading in other pieces and ways than usual, and what must not change by that.
#pragma once

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "document_reader.hpp"

namespace ridge::backends::trace_chrome_json {

class pieces final : public trace::byte_source {
 public:
  pieces(std::string_view bytes, std::size_t piece) : left_(bytes), piece_(piece) {}
  std::size_t read(std::span<char> buffer) override {
    const auto n = left_.copy(buffer.data(), std::min(buffer.size(), piece_));
    left_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view left_;
  std::size_t piece_;
};

inline trace::trace read_by(const std::string& text, std::size_t piece, const read_plan& plan) {
  pieces from(text, piece);
  auto made = read_trace(from, {}, {}, plan);
  EXPECT_TRUE(made.ok());
  return made ? std::move(made).value() : trace::trace{};
}

inline void expect_same(const trace::trace& a, const trace::trace& b) {
  ASSERT_EQ(a.events.size(), b.events.size());
  EXPECT_TRUE(std::ranges::equal(a.events.start_ns, b.events.start_ns));
  EXPECT_TRUE(std::ranges::equal(a.events.offset, b.events.offset));
  EXPECT_TRUE(std::ranges::equal(a.events.name, b.events.name));
  EXPECT_TRUE(std::ranges::equal(a.names.text, b.names.text));
  ASSERT_EQ(a.quality.defects.size(), b.quality.defects.size());
  for (std::size_t i = 0; i < a.quality.defects.size(); ++i) {
    EXPECT_EQ(a.quality.defects[i].count, b.quality.defects[i].count);
    EXPECT_EQ(a.quality.defects[i].offsets, b.quality.defects[i].offsets);
  }
}

// Events of several spacings and key orders, some of them damaged.
inline std::string made_up_text(unsigned seed) {
  std::mt19937 random(seed);
  const std::string events[]{
      R"({"ph":"X","cat":"kernel","name":"a long enough name to be cut \u00e9","pid":0,"tid":7,"ts":12.345,"dur":2,"args":{"grid":[1,2,3]}})",
      R"({
    "name": "x", "args":     {"name": {"ph": 1}}, "ph": "X", "ts": 1e3,
  "dur" : 4 })",
      R"({"ph":"X","name":"say "hi"","args":    {"name":"no event"},"ts":1,"dur":1})",
      R"({"ph":"M","name":"process_name" oops)",
      R"({"ph":"X","cat":"python_function","name":"f","ts":3,"dur":1,"args":{"x":"{\"","y":[]}})",
      "nonsense {"};
  std::string text = "{\"schemaVersion\":1, \"traceEvents\" :  [";
  for (int i = 0; i < 40; ++i) text += events[random() % std::size(events)] + (random() % 2 ? ",\n  " : ",");
  return text + "], \"traceName\":\"x\"}";
}

}  // namespace ridge::backends::trace_chrome_json
