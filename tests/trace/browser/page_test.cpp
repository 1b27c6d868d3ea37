// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fixtures/scene.hpp>
#include <ridge/trace_report/html_page.hpp>

#include "browser.hpp"

namespace ridge::trace_report {
namespace {

using std::string;
using trace::fixtures::scene;

// A hundred kernels of 600 ns, one each microsecond, each with its launch; the gap 20 us to 30 us is a
// finding.
class page : public testing::Test {
 protected:
  void SetUp() override {
    if (browser().empty()) GTEST_SKIP() << no_browser;
    scene made;
    for (int i = 0; i < 100; ++i) {
      const int start = 1000 * (i < 20 ? i : i + 10);
      made.kernel(i == 50 ? "needle<&\"'>" : "hay", start + 300, 600, 7,
                  {.call_ns = start, .call_length_ns = 100});
    }
    made.python("outer", 0, 110'000).python("inner", 10, 100'000);
    shown_trace = made.build();
    page_content = {.title = "a page",
                    .traces = {{.placed = {.source = &shown_trace}, .shown = *scope_of(shown_trace, {})}}};
    page_content.found = trace::diagnosis{
        .verdict = trace::overall_verdict::found,
        .why = "made up",
        .findings = {{.rule = "X1",
                      .title = "A gap",
                      .evidence = {{.description = "gap", .range = trace::time_range{20'000, 30'000}}}},
                     {.rule = "X2", .title = "No place"}}};
    page_content.sections = {
        {.title = "Times",
         .pages = {{.sheets = {{.fields = {{"name", "name"}, {"t_ns", "time", unit::nanoseconds}},
                                .rows = {{.values = {string("b"), std::int64_t{9}}},
                                         {.values = {string("c"), std::int64_t{1000}}},
                                         {.values = {string("a"), std::monostate{}}}}}}}}}};
  }
  [[nodiscard]] string written() const {
    string text;
    write_html(page_content, [&](std::string_view piece) { text += piece; });
    return text;
  }
  // What `script` leaves in the attribute data-said.
  [[nodiscard]] string said(const string& script, const string& hash = "") const {
    auto seen =
        opened(with_script(written(),
                           "const root = document.documentElement; "
                           "const canvas = document.getElementById('canvas'); "
                           "const box = canvas.getBoundingClientRect(); "
                           "const range = () => document.getElementById('shown-range').textContent; " +
                               script),
               "page.html", hash);
    EXPECT_EQ(seen.count("error"), 0u) << seen["error"];
    return seen["said"];
  }

  trace::trace shown_trace{};
  html_content page_content{};
};

TEST_F(page, opens_from_disk_and_draws_all_without_an_error) {
  auto seen = opened(written(), "page.html");
  EXPECT_EQ(seen["ready"], "1");
  EXPECT_EQ(seen.count("error"), 0u) << seen["error"];
  EXPECT_EQ(seen["boxes"], "202");
  EXPECT_EQ(seen["findings"], "2");
  EXPECT_EQ(seen["rows"], "3");
  EXPECT_GT(std::atoi(seen["drawn"].c_str()), 150);  // the interpreter's second lane is folded away
}

TEST_F(page, is_dark_where_that_is_asked_for) {
  EXPECT_EQ(opened(written(), "page.html", "#theme=dark")["theme"], "dark");
  EXPECT_EQ(
      said("document.getElementById('theme').click(); root.dataset.said = root.dataset.theme", "#theme=dark"),
      "light");
}

TEST_F(page, a_click_on_a_finding_shows_its_range) {
  const string shown = "19.000 µs … 31.000 µs (12.000 µs)";
  EXPECT_EQ(said("root.dataset.said = range()", "#finding=1"), shown);
  EXPECT_EQ(said("document.querySelector('#finding-1').click(); root.dataset.said = range()"), shown);
  EXPECT_EQ(opened(written(), "page.html", "#finding=2")["finding"], "2");  // has no range
}

TEST_F(page, the_wheel_zooms_around_the_pointer_and_keys_move_and_reset) {
  EXPECT_EQ(
      said("const before = range(); const wheel = (y) => canvas.dispatchEvent(new WheelEvent('wheel', "
           "{clientX: box.left + 700, clientY: box.top + 60, deltaY: y, cancelable: true})); "
           "wheel(-200); const near = range(); wheel(200); const again = range(); "
           "const key = (k) => window.dispatchEvent(new KeyboardEvent('keydown', {key: k})); "
           "key('w'); key('d'); const moved = range(); key('0'); "
           "root.dataset.said = [near !== before, again === before, moved !== before, range() === before]"),
      "true,true,true,true");
}

TEST_F(page, hovering_names_an_event_and_a_click_pins_it) {
  const string over =
      "const e = (t) => canvas.dispatchEvent(new PointerEvent(t, {clientX: box.left + 700, "
      "clientY: box.top + y, bubbles: true})); let y = 22; "
      "for (; y < 200; ++y) { e('pointermove'); "
      "if (document.getElementById('tip').textContent.startsWith('needle')) break; } ";
  EXPECT_THAT(
      said(over + "root.dataset.said = document.getElementById('tip').textContent.replaceAll('\"', '')",
           "#range=60250,60950"),
      testing::AllOf(testing::HasSubstr("600 ns from 60.300 µs"), testing::HasSubstr("correlation 51"),
                     testing::HasSubstr("stream 7")));
  EXPECT_THAT(said(over + "e('pointerdown'); e('pointerup'); root.dataset.said = "
                          "document.getElementById('details').textContent.startsWith('needle<&')",
                   "#range=60250,60950"),
              "true");
}

TEST_F(page, the_search_counts_and_walks_what_matches) {
  EXPECT_EQ(opened(written(), "page.html", "#find=NEEDLE")["matches"], "1");
  EXPECT_EQ(said("const s = document.getElementById('search'); s.value = 'needle'; "
                 "s.dispatchEvent(new Event('input')); s.dispatchEvent(new KeyboardEvent('keydown', {key: "
                 "'Enter'})); "
                 "root.dataset.said = range()"),
            "59.100 µs … 62.100 µs (3.000 µs)");
}

TEST_F(page, tables_sort_by_numbers_and_put_the_unknown_last) {
  const string names =
      "[...document.querySelectorAll('#section-1 tbody td:first-child')].map((c) => c.textContent).join('')";
  EXPECT_EQ(said("const h = document.querySelectorAll('#section-1 th')[1]; h.click(); const down = " + names +
                 "; h.click(); root.dataset.said = down + ' ' + " + names),
            "cba bca");
}

TEST_F(page, hostile_names_run_nothing) {
  const string evil =
      "</script><img src=x onerror=\"document.documentElement.dataset.ran=1\"><script>"
      "document.documentElement.dataset.ran=2</script>";
  shown_trace = scene().kernel(evil, 0, 10).annotation(evil, 0, 20).build();
  page_content.traces = {{.placed = {.source = &shown_trace}, .shown = *scope_of(shown_trace, {})}};
  page_content.title = evil;
  page_content.found->findings.front().text = evil;
  page_content.sections.front().title = evil;
  const auto seen = opened(written(), "page.html");
  EXPECT_EQ(seen.count("ran"), 0u);
  EXPECT_EQ(seen.count("error"), 0u);
  EXPECT_EQ(seen.count("ready"), 1u);
}

}  // namespace
}  // namespace ridge::trace_report
