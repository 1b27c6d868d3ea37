// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fixtures/scene.hpp>
#include <ridge/trace_report/html_page.hpp>

namespace ridge::trace_report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using trace::fixtures::scene;

struct written {
  std::string text{};
  html_counts counts{};
  [[nodiscard]] json data() const {
    const std::string open = "id=\"trace-data\">";
    const auto from = text.find(open) + open.size();
    return json::parse(text.substr(from, text.find("</script>", from) - from));
  }
};

html_content content_of(const trace::trace& t) {
  return {.title = "a page", .traces = {{.placed = {.source = &t}, .shown = *scope_of(t, {})}}};
}

written html_page_of(const html_content& content, const html_limits& limits = {}) {
  written made;
  made.counts = write_html(
      content, [&](std::string_view piece) { made.text += piece; }, limits);
  return made;
}

// The numbers of one lane, six a box.
std::vector<std::uint64_t> numbers_of(const json& lane) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0, held = 0;
  for (const char c : lane["data"].get<std::string>()) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255U);
  }
  std::vector<std::uint64_t> numbers(1, 0);
  int shift = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    numbers.back() |= std::uint64_t{byte & 127U} << shift;
    shift += 7;
    if (byte >= 128) continue;
    numbers.push_back(0);
    shift = 0;
  }
  numbers.pop_back();
  return numbers;
}

TEST(html_page, packs_events_that_read_back_exactly) {
  const auto t = scene()
                     .kernel("gemm", 1'000'100, 300, 7, {.call_ns = 1'000'010, .call_length_ns = 5})
                     .kernel("gemm", 1'000'500, 20, 7)
                     .build();
  const auto page = html_page_of(content_of(t));
  const auto data = page.data();
  EXPECT_EQ(page.counts.events, 3u);
  EXPECT_EQ(page.counts.merged_below_ns, 0);
  EXPECT_EQ(data["span"], 510);
  ASSERT_EQ(data["tracks"].size(), 2u);
  const auto& stream = data["tracks"][0];
  EXPECT_EQ(stream["name"], "stream 7");
  EXPECT_EQ(stream["kind"], "stream");
  const auto numbers = numbers_of(stream["lanes"][0]);
  ASSERT_EQ(numbers.size(), 12u);
  EXPECT_EQ(numbers[0], 90u);  // since the call, which is first of all
  EXPECT_EQ(numbers[1], 300u);
  EXPECT_EQ(numbers[3], 0u);
  EXPECT_EQ(numbers[6], 400u);
  EXPECT_EQ(numbers[7], 20u);
  EXPECT_EQ(numbers[8], numbers[2]);
  EXPECT_EQ(data["names"][numbers[2]], json::parse(R"(["gemm", 0])"));
}

TEST(html_page, merges_above_its_limit_and_says_so) {
  scene made;
  for (int i = 0; i < 5000; ++i) made.kernel("k", 1000 * i, 900);
  const auto t = made.build();
  const auto page = html_page_of(content_of(t), {.boxes = 500});
  EXPECT_EQ(page.counts.events, 5000u);
  EXPECT_LE(page.counts.boxes, 500u);
  EXPECT_EQ(page.counts.merged_below_ns, 1000);
  EXPECT_THAT(page.text, HasSubstr("neighbours shorter than 1.00 µs were merged"));
  std::uint64_t events = 0;
  const auto numbers = numbers_of(page.data()["tracks"][0]["lanes"][0]);
  for (std::size_t i = 3; i < numbers.size(); i += 6) events += numbers[i] + 1;
  EXPECT_EQ(events, 5000u);
}

TEST(html_page, no_text_of_a_trace_becomes_markup) {
  const std::string evil = "</script><!--<img src=x onerror=\"alert('1')\">{{script}}\x01\xff";
  const auto t = scene().kernel(evil, 0, 10).annotation(evil, 0, 10).build();
  auto content = content_of(t);
  content.title = evil;
  content.notes = {evil};
  content.sections = {{.title = evil,
                       .pages = {{.sheets = {{.key = "s",
                                              .title = evil,
                                              .fields = {{"a", evil}},
                                              .rows = {{.values = {evil}}},
                                              .notes = {evil}}}}}}};
  content.found = trace::diagnosis{.why = evil,
                                   .findings = {{.rule = evil,
                                                 .title = evil,
                                                 .text = evil,
                                                 .advice = evil,
                                                 .next = evil,
                                                 .subject = evil,
                                                 .evidence = {{.description = evil, .unit = evil}}}}};
  const auto page = html_page_of(content);
  EXPECT_THAT(page.text, Not(HasSubstr("<img")));
  EXPECT_THAT(page.text, Not(HasSubstr("\x01")));
  EXPECT_THAT(
      page.text,
      HasSubstr("&lt;/script&gt;&lt;!--&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;{{script}}"));
  EXPECT_EQ(page.data()["names"][0][0],
            "</script><!--<img src=x onerror=\"alert('1')\">{{script}} \xEF\xBF\xBD");
}

TEST(html_page, asks_nothing_of_the_network) {
  const auto t = scene().kernel("k", 0, 10).build();
  const auto text = html_page_of(content_of(t)).text;
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  for (const auto* outside : {"http:", "https:", "src=\"", "@import", "url("})
    EXPECT_THAT(text, Not(HasSubstr(outside)));
}

TEST(html_page, a_finding_leads_to_its_range_on_the_common_clock) {
  const auto t = scene().kernel("k", 1000, 500).build();
  auto content = content_of(t);
  content.traces.front().placed.clock.offset_ns = 70;
  content.found = trace::diagnosis{
      .findings = {{.rule = "I1",
                    .title = "Idle",
                    .evidence = {{.description = "idle", .range = trace::time_range{1100, 1200}}}}}};
  EXPECT_THAT(html_page_of(content).text, HasSubstr("data-a=\"100\" data-b=\"200\""));
}

TEST(html_page, a_table_keeps_numbers_for_sorting_and_blanks_for_what_is_not_known) {
  const auto t = scene().kernel("k", 0, 10).build();
  auto content = content_of(t);
  content.sections = {
      {.title = "Times",
       .pages = {{.sheets = {{.fields = {{"name", "name"}, {"t_ns", "time", unit::nanoseconds}},
                              .rows = {{.values = {std::string("a"), std::int64_t{1'234'567}}},
                                       {.values = {std::string("b"), std::monostate{}}}}}}}}}};
  const auto text = html_page_of(content).text;
  EXPECT_THAT(text, HasSubstr("<tr><td>a</td><td class=\"n\" data-v=\"1234567\">1.23 ms</td></tr>"));
  EXPECT_THAT(text, HasSubstr("<tr><td>b</td><td class=\"n\"></td></tr>"));
}

}  // namespace
}  // namespace ridge::trace_report
