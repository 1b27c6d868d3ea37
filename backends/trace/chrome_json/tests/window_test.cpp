// SPDX-License-Identifier: Apache-2.0
// What is read depends neither on the window, nor on the pieces in which the input comes, nor on the threads.
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

trace::trace read_by(const std::string& text, std::size_t piece, const reading& how) {
  pieces from(text, piece);
  auto made = read_trace(from, {}, {}, how);
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
      expect_same(read_by(text, 1 + seed % 13, {.window_bytes = window}), whole);
    for (const auto piece : {1U, 7U, 1000U}) expect_same(read_by(text, piece, {}), whole);
  }
}

// How a text is read in blocks of so many bytes from its first event on.
reading in_blocks(std::size_t bytes, unsigned threads = 3) {
  return {.window_bytes = 64, .threads = threads, .block_bytes = bytes, .alone_bytes = 1};
}

TEST(threads, blocks_change_nothing_about_texts_with_damage) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto text = made_up_text(seed);
    const auto whole = read_by(text, text.size(), {.threads = 1});
    for (const auto block : {1U, 50U, 200U, 333U, 1000U, 100'000U}) {
      SCOPED_TRACE(block);
      expect_same(read_by(text, text.size(), in_blocks(block)), whole);
      expect_same(read_by(text, 1 + seed % 13, in_blocks(block, 2)), whole);
    }
  }
}

// An event that holds what looks like the start of another, in a text and in a list of its args.
TEST(threads, a_cut_within_an_event_is_mended) {
  std::string text = R"({"traceEvents":[)";
  for (int i = 0; i < 400; ++i) {
    text += i == 0 ? "" : ",";
    text += R"({"ph":"X","name":"a},{\"ph\":\"X\"","ts":)" + std::to_string(i) +
            R"(,"dur":1,"args":{"all":[{"name":1},{"name":"b"},{"ts":2},{"ph":"X"}]}})";
  }
  text += "]}";
  const auto whole = read_by(text, text.size(), {.threads = 1});
  ASSERT_EQ(whole.events.size(), 400U);
  for (const auto block : {40U, 100U, 130U, 1000U, 5000U})
    expect_same(read_by(text, 777, in_blocks(block)), whole);
}

TEST(threads, an_event_longer_than_all_blocks_is_read_and_more_behind_it) {
  std::string events = R"({"ph":"X","name":"a","ts":1,"dur":1},{"ph":"X","name":")" +
                       std::string(100'000, 'n') + R"(","ts":2,"dur":1})";
  for (int i = 0; i < 1000; ++i) events += R"(,{"ph":"X","name":"b","ts":3,"dur":1})";
  const auto t = read_by("[" + events + "]", 4096, in_blocks(1000));
  EXPECT_EQ(t.events.size(), 1002U);
  EXPECT_EQ(t.quality.defects.size(), 0U);
}

TEST(threads, an_end_within_an_event_is_told_with_its_place) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += R"({"ph":"X","name":"b","ts":3,"dur":1},)";
  const auto cut = text.substr(0, text.size() - 9);
  const auto t = read_by(cut, cut.size(), in_blocks(1000));
  EXPECT_EQ(t.events.size(), 999U);
  EXPECT_EQ(t.quality.count(trace::flaw::truncated), 1U);
  expect_same(t, read_by(cut, cut.size(), {.threads = 1}));
}

TEST(threads, a_limit_ends_the_reading_once) {
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i) text += R"({"ph":"X","name":"b","ts":3,"dur":1},)";
  pieces from(text, 4096);
  trace::read_limits limits;
  limits.content_bytes = 100'000;
  const auto made = read_trace(from, {}, limits, in_blocks(5000));
  ASSERT_TRUE(made.ok());
  EXPECT_LT(made->events.size(), 4000U);
  EXPECT_EQ(made->quality.count(trace::flaw::over_limit), 1U);
}

class broken final : public trace::byte_source {
 public:
  explicit broken(std::size_t good_bytes) : left_(good_bytes) {}
  std::size_t read(std::span<char> buffer) override {
    constexpr std::string_view event = R"({"ph":"X","name":"b","ts":3,"dur":1},)";
    std::size_t done = 0;
    if (at_ == 0 && !buffer.empty()) buffer[done++] = '[';
    for (; done < buffer.size(); ++done) buffer[done] = event[at_++ % event.size()];
    if (at_ > left_) throw failure({"the disk is gone", "look for it"});
    return done;
  }

 private:
  std::size_t left_, at_ = 0;
};

TEST(threads, a_source_that_fails_fails_the_reading) {
  broken from(300'000);
  EXPECT_THROW(static_cast<void>(read_trace(from, {}, {}, in_blocks(5000))), failure);
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
