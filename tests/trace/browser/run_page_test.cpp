// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/run_page.hpp>

#include "browser.hpp"

namespace ridge::trace_report {
namespace {

using std::string;

string page_of_a_kept_run() {
  const auto folder = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "results/amd-epyc-x2";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".json") continue;
    const auto run = model::run_from_json(*read_file(file.path()));
    EXPECT_TRUE(run) << file.path();
    if (run) return report::run_page({&*run, 1});
  }
  ADD_FAILURE() << "no run is kept in " << folder;
  return "";
}

std::size_t count(const string& text, const string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

// The page with permission to run scripts, and to load nothing as before; data-errors counts scripts that
// fail, files that do not load and what the policy refuses, from the beginning on.
string watched(string page) {
  const string styles = "style-src 'unsafe-inline'", head = "<head>\n";
  page.replace(page.find(styles), styles.size(), styles + "; script-src 'unsafe-inline'");
  return page.insert(page.find(head) + head.size(),
                     "<script>const root = document.documentElement; root.dataset.errors = 0; "
                     "for (const kind of ['error', 'securitypolicyviolation']) "
                     "window.addEventListener(kind, () => { ++root.dataset.errors; }, true);</script>\n");
}

TEST(run_page, of_a_kept_run_opens_from_disk_and_shows_every_table_and_plot) {
  if (browser().empty()) GTEST_SKIP() << no_browser;
  const auto page = page_of_a_kept_run();
  auto seen = opened(
      with_script(
          watched(page),
          "document.querySelectorAll('details').forEach((d) => { d.open = true; }); "
          "const all = (selector) => [...document.querySelectorAll(selector)]; "
          "const shown = (selector) => all(selector).filter((e) => e.getBoundingClientRect().height > "
          "0).length; "
          "const outside = (text) => { const a = text.getBoundingClientRect(), "
          "b = text.ownerSVGElement.getBoundingClientRect(); return a.left < b.left - 1 || "
          "a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1; }; "
          "root.dataset.captions = shown('caption'); root.dataset.plots = shown('svg'); "
          "root.dataset.problems = shown('h3'); "
          "root.dataset.outside = all('svg text').filter(outside).map((t) => t.textContent).join('|'); "
          "root.dataset.dangling = all('a').filter((a) => "
          "!document.getElementById(decodeURIComponent(a.hash.slice(1)))).length; "
          "root.dataset.overflow = root.scrollWidth - root.clientWidth; "
          "root.dataset.requests = performance.getEntriesByType('resource').length;"),
      "report.html");
  EXPECT_EQ(seen["errors"], "0");
  EXPECT_EQ(seen["requests"], "0");
  EXPECT_EQ(seen["captions"], std::to_string(count(page, "<caption>")));
  EXPECT_EQ(seen["plots"], std::to_string(count(page, "<svg")));
  EXPECT_EQ(seen["problems"], std::to_string(count(page, "<h3")));
  EXPECT_GT(count(page, "<svg"), 10u);
  EXPECT_EQ(seen["outside"], "") << "words of a plot lie outside of it";
  EXPECT_EQ(seen["dangling"], "0") << "links lead nowhere";
  EXPECT_EQ(seen["overflow"], "0") << "the page is wider than the window";
}

TEST(run_page, runs_no_script_whatever_it_holds) {
  if (browser().empty()) GTEST_SKIP() << no_browser;
  const string script = "document.documentElement.dataset.ran = 1";
  EXPECT_EQ(opened(with_script(watched(page_of_a_kept_run()), script), "report.html").count("ran"), 1u);
  EXPECT_EQ(opened(with_script(page_of_a_kept_run(), script), "report.html").count("ran"), 0u);
}

}  // namespace
}  // namespace ridge::trace_report
