// SPDX-License-Identifier: Apache-2.0
// What is read depends neither on the window nor on the pieces in which the input comes.
#include <algorithm>
#include <random>

#include "document_reader.hpp"
#include "made_up.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

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

trace::trace read_by(const std::string& text, std::size_t piece, std::size_t window) {
  pieces from(text, piece);
  auto made = read_trace(from, {}, {}, window);
  EXPECT_TRUE(made.ok());
  return made ? std::move(made).value() : trace::trace{};
}

void expect_same(const trace::trace& a, const trace::trace& b) {
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
std::string made_up_text(unsigned seed) {
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

TEST(window, size_and_pieces_change_nothing) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto text = made_up_text(seed);
    const auto whole = read(text);
    for (const auto window : {1U, 2U, 3U, 16U, 61U, 64U, 100U, 512U, 4096U})
      expect_same(read_by(text, 1 + seed % 13, window), whole);
    for (const auto piece : {1U, 7U, 1000U})
      expect_same(read_by(text, piece, text_window::usual_bytes), whole);
  }
}

TEST(window, an_event_longer_than_the_window_is_read) {
  const auto name = std::string(3'000'000, 'n');
  const auto t = read_events(R"({"ph":"X","name":")" + name +
                             R"(","ts":1,"dur":1},{"ph":"X","name":"b","ts":2,"dur":1})");
  ASSERT_EQ(t.events.size(), 2U);
  EXPECT_EQ(t.name_of(0), name);
  EXPECT_EQ(t.name_of(1), "b");
}

TEST(window, a_text_that_never_ends_costs_only_its_event) {
  std::string events = R"({"ph":"X","name":"a","ts":1,"dur":1},{"ph":"X","args":{"x":"open)" +
                       std::string(400'000, ' ') + "}}";
  for (int i = 0; i < 3000; ++i) events += R"(,{"ph":"X","name":"b","ts":2,"dur":1})";
  const auto t = read_events(events);
  EXPECT_EQ(t.events.size(), 3001U);
  EXPECT_EQ(t.quality.count(trace::flaw::unreadable_event), 1U);
}

}  // namespace
}  // namespace ridge::backends::trace_chrome_json
