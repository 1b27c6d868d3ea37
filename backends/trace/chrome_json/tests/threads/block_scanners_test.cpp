// SPDX-License-Identifier: Apache-2.0
// What is read on several threads is what one reads.
#include "read_in_pieces.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

// How a text is read in blocks of so many bytes from its first event on.
read_plan in_blocks(std::size_t bytes, unsigned threads = 3) {
  return {.window_bytes = 64, .threads = threads, .block_bytes = bytes, .alone_bytes = 1};
}

TEST(block_scanners, blocks_change_nothing_about_texts_with_damage) {
  for (unsigned seed = 0; seed < 12; ++seed) {
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

// More names than a scanner remembers, details in the args of calls, kernels and operators, and events of a
// thread's own between them.
std::string many_events(int count) {
  std::string text = R"({"traceEvents":[)";
  for (int i = 0; i < count; ++i) {
    const auto n = std::to_string(i);
    text += i == 0 ? "" : ",\n";
    if (i % 4 == 0)
      text += R"({"ph":"X","cat":"python_function","name":"f)" + std::to_string(i % 40'000) +
              R"(","pid":1,"tid":2,"ts":)" + n + R"(,"dur":1})";
    else if (i % 4 == 1)
      text += R"({"ph":"X","cat":"kernel","name":"k)" + std::to_string(i % 7) + R"(","pid":0,"tid":7,"ts":)" +
              n + R"(.5,"dur":0.25,"args":{"device":0,"stream":)" + std::to_string(i % 3) +
              R"(,"correlation":)" + n + R"(,"grid":[)" + n + R"(,2,1]}})";
    else if (i % 4 == 2)
      text += R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":)" + n +
              R"(,"dur":1,"args":{"Input Dims":[[)" + std::to_string(i % 11) + R"(,4]],"Sequence number":)" +
              n + "}}";
    else
      text += R"({"ph":"i","name":"a \u00e9 mark","pid":1,"tid":2,"ts":)" + n + "}";
  }
  return text + "]}";
}

TEST(block_scanners, names_and_args_are_those_of_one_thread) {
  const auto text = many_events(100'000);
  const auto one = read_by(text, text.size(), {.threads = 1});
  const auto several = read_by(text, text.size(), in_blocks(20'000));
  ASSERT_EQ(one.events.size(), 100'000U);
  expect_same(several, one);
  EXPECT_TRUE(std::ranges::equal(several.works, one.works, [](const auto& a, const auto& b) {
    return a.stream == b.stream && a.grid == b.grid && a.device == b.device;
  }));
  EXPECT_TRUE(std::ranges::equal(several.ops, one.ops, [](const auto& a, const auto& b) {
    return a.sequence == b.sequence && a.input_dims == b.input_dims;
  }));
}

// An event that holds what looks like the start of another, in a text and in a list of its args.
TEST(block_scanners, a_cut_within_an_event_is_mended) {
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

TEST(block_scanners, an_event_longer_than_all_blocks_is_read_and_more_behind_it) {
  std::string events = R"({"ph":"X","name":"a","ts":1,"dur":1},{"ph":"X","name":")" +
                       std::string(100'000, 'n') + R"(","ts":2,"dur":1})";
  for (int i = 0; i < 1000; ++i) events += R"(,{"ph":"X","name":"b","ts":3,"dur":1})";
  const auto t = read_by("[" + events + "]", 4096, in_blocks(1000));
  EXPECT_EQ(t.events.size(), 1002U);
  EXPECT_EQ(t.quality.defects.size(), 0U);
}

TEST(block_scanners, an_end_within_an_event_is_told_with_its_place) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += R"({"ph":"X","name":"b","ts":3,"dur":1},)";
  const auto cut = text.substr(0, text.size() - 9);
  const auto t = read_by(cut, cut.size(), in_blocks(1000));
  EXPECT_EQ(t.events.size(), 999U);
  EXPECT_EQ(t.quality.count(trace::flaw::truncated), 1U);
  expect_same(t, read_by(cut, cut.size(), {.threads = 1}));
}

TEST(block_scanners, a_limit_ends_the_reading_once) {
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

TEST(block_scanners, a_source_that_fails_fails_the_reading) {
  broken from(300'000);
  EXPECT_THROW(static_cast<void>(read_trace(from, {}, {}, in_blocks(5000))), failure);
}

}  // namespace
}  // namespace ridge::backends::trace_chrome_json
