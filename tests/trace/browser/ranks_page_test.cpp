// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace_report/ranks_html.hpp>

#include "browser.hpp"

namespace ridge::trace_report {
namespace {

using std::string;
using trace::fleet_measure;
using trace::surveyed_rank;

surveyed_rank made_rank(std::uint32_t index, std::int64_t compute_ns) {
  surveyed_rank rank{
      .path = "run/host" + std::to_string(index / 2) + "/trace" + std::to_string(index) + ".json",
      .node = "node " + std::to_string(index / 2),
      .waited_ns = 1000 * index,
      .kept_others_ns = index == 4 ? 900'000 : 0};
  rank.member.who = {
      .trace = index, .rank = static_cast<int>(index), .label = "rank " + std::to_string(index)};
  rank.member.times.window = {0, 2'000'000};
  rank.member.times.compute_ns = compute_ns;
  rank.member.times.idle_ns = 2'000'000 - compute_ns;
  const auto put = [&](fleet_measure m, std::int64_t ns) {
    rank.member.values[static_cast<std::size_t>(m)] = ns;
  };
  put(fleet_measure::step, 2'000'000);
  put(fleet_measure::compute, compute_ns);
  put(fleet_measure::idle, 2'000'000 - compute_ns);
  return rank;
}

// Six ranks on three nodes; rank 4 computes twice as long, and rank 0 waits for it.
class ranks_page_in_browser : public testing::Test {
 protected:
  void SetUp() override {
    if (browser().empty()) GTEST_SKIP() << no_browser;
    auto& s = content.survey;
    for (std::uint32_t i = 0; i < 6; ++i) {
      s.ranks.push_back(made_rank(i, i == 4 ? 1'600'000 : 800'000 + 1000 * i));
      s.fleet.members.push_back(s.ranks.back().member);
    }
    s.fleet.outliers = {{.member = 4,
                         .measure = fleet_measure::compute,
                         .value = 1'600'000,
                         .median = 802'000,
                         .robust_z = 40}};
    s.pairs = {{.causer = 4, .sufferer = 0, .waited_ns = 700'000},
               {.causer = 4, .sufferer = 1, .waited_ns = 200'000},
               {.causer = 2, .sufferer = 3, .waited_ns = 1000}};
    s.waited_ns = 901'000;
    s.tells_waiting = true;
    content.title = "six ranks";
    content.files = {"run"};
    content.pages = {"a-rank-0.html"};
  }
  [[nodiscard]] string written() const {
    string text;
    write_ranks_html(content, [&](std::string_view piece) { text += piece; });
    return text;
  }
  // What `script` leaves in the attribute data-said.
  [[nodiscard]] string said(const string& script, const string& hash = "") const {
    auto seen = opened(
        with_script(written(),
                    "const root = document.documentElement, byId = (id) => document.getElementById(id); "
                    "const labels = () => [...byId('ranks').tBodies[0].rows].filter((r) => !r.hidden)"
                    ".map((r) => r.dataset.label.slice(5)).join(''); "
                    "const key = (k) => window.dispatchEvent(new KeyboardEvent('keydown', {key: k})); "
                    "const type = (text) => { byId('filter').value = text; "
                    "byId('filter').dispatchEvent(new Event('input')); }; " +
                        script),
        "ranks.html", hash);
    EXPECT_EQ(seen.count("error"), 0u) << seen["error"];
    return seen["said"];
  }

  ranks_html_content content{};
};

TEST_F(ranks_page_in_browser, opens_from_disk_without_an_error) {
  auto seen = opened(written(), "ranks.html");
  EXPECT_EQ(seen["ready"], "1");
  EXPECT_EQ(seen.count("error"), 0u) << seen["error"];
  EXPECT_EQ(seen["rows"], "6");
  EXPECT_EQ(seen["shown"], "6");
  EXPECT_EQ(seen["chosen"], "");
}

TEST_F(ranks_page_in_browser, sorts_by_any_column) {
  EXPECT_EQ(said("const heads = [...byId('ranks').tHead.rows[0].cells]; const by = (name) => "
                 "heads.find((h) => h.textContent === name).click(); by('compute'); const most = labels(); "
                 "by('compute'); const least = labels(); by('made others wait'); "
                 "root.dataset.said = most + ' ' + least + ' ' + labels()[0]"),
            "453210 012354 4");
}

TEST_F(ranks_page_in_browser, filters_by_node_by_path_and_by_standing_out) {
  EXPECT_EQ(
      said(
          "type('node 1'); const node = labels(); type('HOST2/trace5'); const path = labels(); type('none'); "
          "const none = byId('shown').textContent; type(''); byId('only-out').click(); "
          "root.dataset.said = [node, path, none, labels()]"),
      "23,5,0 of 6 ranks,4");
  EXPECT_EQ(opened(written(), "ranks.html", "#filter=node%201")["shown"], "2");
  EXPECT_EQ(opened(written(), "ranks.html", "#out=1")["shown"], "1");
}

TEST_F(ranks_page_in_browser, holds_the_chosen_rank_against_the_medians_and_shows_its_waits) {
  auto seen = opened(written(), "ranks.html", "#rank=4");
  EXPECT_EQ(seen["chosen"], "rank 4");
  EXPECT_EQ(seen["waits"], "3");  // two pairs, and where it stands out
  const string row = "[...byId('against').rows].find((r) => r.cells[0].textContent === 'compute')";
  EXPECT_EQ(said("byId('ranks').tBodies[0].rows[4].click(); root.dataset.said = [..." + row +
                 ".cells].map((c) => c.textContent).join(' ')"),
            "compute 1.6 ms 803 µs 1.99");
  EXPECT_THAT(said("byId('ranks').tBodies[0].rows[3].click(); root.dataset.said = byId('next').textContent"),
              testing::HasSubstr("ridge trace html run --rank 3 --output rank-3.html"));
}

TEST_F(ranks_page_in_browser, arrows_choose_among_the_ranks_that_are_shown) {
  EXPECT_EQ(said("type('node 1'); key('ArrowDown'); const first = root.dataset.chosen; key('ArrowDown'); "
                 "key('ArrowDown'); const last = root.dataset.chosen; key('Escape'); "
                 "root.dataset.said = [first, last, root.dataset.chosen, byId('chosen').hidden]"),
            "rank 2,rank 3,,true");
}

TEST_F(ranks_page_in_browser, links_to_pages_that_were_written) {
  EXPECT_EQ(
      said("root.dataset.said = [...byId('ranks').querySelectorAll('a')].map((a) => a.getAttribute('href'))"),
      "a-rank-0.html");
}

TEST_F(ranks_page_in_browser, hostile_names_run_nothing) {
  const string evil =
      "\"><img src=x onerror=\"document.documentElement.dataset.ran=1\"><script>"
      "document.documentElement.dataset.ran=2</script>";
  auto& rank = content.survey.ranks[2];
  rank.path = rank.node = rank.member.who.label = evil;
  content.files = {evil};
  content.pages = {evil, evil, evil};
  content.title = evil;
  const auto seen = opened(written(), "ranks.html", "#rank=2");
  EXPECT_EQ(seen.count("ran"), 0u);
  EXPECT_EQ(seen.count("error"), 0u);
  EXPECT_EQ(seen.count("ready"), 1u);
}

}  // namespace
}  // namespace ridge::trace_report
