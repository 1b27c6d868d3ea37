// SPDX-License-Identifier: Apache-2.0
// What is read depends neither on the window nor on the pieces in which the input comes.
#include "made_up.hpp"
#include "read_in_pieces.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

TEST(window, size_and_pieces_change_nothing) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto text = made_up_text(seed);
    const auto whole = read(text);
    for (const auto window : {1U, 2U, 3U, 16U, 61U, 64U, 100U, 512U, 4096U})
      expect_same(read_by(text, 1 + seed % 13, {.window_bytes = window}), whole);
    for (const auto piece : {1U, 7U, 1000U}) expect_same(read_by(text, piece, {}), whole);
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
