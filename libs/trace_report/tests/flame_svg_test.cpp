// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>
#include <regex>

#include <gmock/gmock.h>

#include <ridge/trace/flame_text.hpp>
#include <ridge/trace_report/flame_svg.hpp>

#include "flame_layout.hpp"

namespace ridge::trace_report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

trace::flame_tree tree_of(const std::string& collapsed) { return trace::flame_of_collapsed(collapsed); }

struct drawn {
  std::int64_t start = 0, width = 0;
  int depth = 0;
  double x = 0, pixels = 0;
  std::string fill{};
};

std::map<std::string, drawn> frames_of(const std::string& svg) {
  static const std::regex frame(
      "<g class=\"f\" data-s=\"(\\d+)\" data-w=\"(\\d+)\" data-d=\"(\\d+)\"><title>"
      "([^\n<]*)\n[^<]*</title><rect x=\"([0-9.]+)\" y=\"\\d+\" width=\"([0-9.]+)\" "
      "height=\"\\d+\" fill=\"([^\"]+)\"");
  std::map<std::string, drawn> all;
  for (std::sregex_iterator at(svg.begin(), svg.end(), frame), end; at != end; ++at) {
    const auto& m = *at;
    all[m[4]] = {std::stoll(m[1]), std::stoll(m[2]), std::stoi(m[3]), std::stod(m[5]), std::stod(m[6]), m[7]};
  }
  return all;
}

TEST(flame_svg, widths_are_weights_and_the_widest_child_comes_first) {
  const auto all = frames_of(flame_svg(tree_of("main;small 20\nmain;large 70\nmain 10\n")));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all.at("all").width, 100);
  EXPECT_EQ(all.at("main").width, 100);
  EXPECT_EQ(all.at("large").start, 0);
  EXPECT_EQ(all.at("small").start, 70);
  EXPECT_EQ(all.at("small").depth, 2);
  EXPECT_NEAR(all.at("small").pixels, 1180 * 0.2, 0.01);
  EXPECT_NEAR(all.at("small").x, 10 + 1180 * 0.7, 0.01);
}

TEST(flame_svg, says_time_and_share_or_samples) {
  const auto tree = tree_of("main;leaf 250000\nmain 750000\n");
  EXPECT_THAT(flame_svg(tree), HasSubstr("<title>leaf\n250 µs, 25.00 % of all; own 250 µs</title>"));
  EXPECT_THAT(flame_svg(tree_of("a 3\n"), {.samples = true}), HasSubstr("3 samples, 100.00 % of all"));
}

TEST(flame_svg, hostile_names_stay_text) {
  trace::flame_builder made;
  made.add(made.child(0, "</title><script>alert('1')</script>&\"\x01\n\xff"), 5);
  made.add(made.child(0, "]]><!--" + std::string(5'000'000, 'x')), 7);
  const auto svg = flame_svg(std::move(made).finish(), {.title = "<b>\"&"});
  EXPECT_THAT(
      svg,
      HasSubstr("&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;  \xEF\xBF\xBD\n"));
  EXPECT_THAT(svg, Not(HasSubstr("alert('")));
  EXPECT_THAT(svg, HasSubstr("]]&gt;&lt;!--xxx"));
  EXPECT_THAT(svg, HasSubstr("&lt;b&gt;&quot;&amp;"));
  EXPECT_THAT(svg, Not(HasSubstr("\x01")));
  EXPECT_LT(svg.size(), 20'000u);
}

TEST(flame_svg, leaves_out_the_narrowest_and_says_so) {
  std::string text;
  for (int i = 1; i <= 50; ++i) text += "main;leaf" + std::to_string(i) + " " + std::to_string(i) + "\n";
  const auto svg = flame_svg(tree_of(text), {.frames = 11});
  EXPECT_EQ(frames_of(svg).size(), 12u);  // the root, main and the ten widest
  EXPECT_EQ(frames_of(svg).count("leaf41"), 1u);
  EXPECT_EQ(frames_of(svg).count("leaf40"), 0u);
  EXPECT_THAT(svg, HasSubstr("the 40 narrowest frames are left out"));
}

TEST(flame_svg, draws_an_empty_tree) {
  EXPECT_EQ(frames_of(flame_svg(trace::flame_builder().finish())).size(), 1u);
  EXPECT_THAT(flame_svg(trace::flame_tree{}), HasSubstr("</svg>"));
}

TEST(flame_svg, a_difference_is_red_where_it_grew_and_keeps_what_is_gone) {
  const auto diff =
      trace::flame_diff(tree_of("m;same 50\nm;gone 30\nm;more 20\n"), tree_of("m;same 50\nm;more 60\n"));
  const auto svg = flame_svg(diff);
  const auto all = frames_of(svg);
  EXPECT_EQ(all.at("gone").width, 30);
  EXPECT_EQ(all.at("more").width, 60);
  EXPECT_EQ(all.at("all").width, 140);
  EXPECT_EQ(all.at("more").fill, "#f06852");
  EXPECT_EQ(all.at("same").fill, "#e2e0de");
  EXPECT_EQ(all.at("gone").fill, "#78a2ee");  // sqrt(30 / 40) of the way to blue
  EXPECT_THAT(svg, HasSubstr("20.0 ns before, 60.0 ns after: +40.0 ns (+200.0 %)"));
  EXPECT_THAT(svg, HasSubstr("30.0 ns before, 0 s after: -30.0 ns (-100.0 %)"));
}

TEST(flame_layout, children_lie_within_their_parents_side_by_side) {
  std::mt19937_64 random(11);
  std::vector<std::uint32_t> parents{0};
  std::vector<std::int64_t> widths{0};
  for (std::uint32_t node = 1; node < 500; ++node) {
    parents.push_back(static_cast<std::uint32_t>(random() % node));
    widths.push_back(static_cast<std::int64_t>(random() % 100));
  }
  for (auto node = parents.size(); node-- > 1;) widths[parents[node]] += widths[node];
  const auto placed = lay_out(parents, widths, 300);
  std::map<std::uint32_t, flame_box> boxes;
  std::map<std::uint32_t, std::int64_t> end_of_last_child;
  for (const auto& box : placed.boxes) {
    boxes[box.node] = box;
    if (box.node == 0) continue;
    const auto parent = boxes.at(parents[box.node]);
    EXPECT_EQ(box.depth, parent.depth + 1);
    EXPECT_EQ(box.start, end_of_last_child.try_emplace(parents[box.node], parent.start).first->second);
    EXPECT_LE(box.start + box.width, parent.start + parent.width);
    end_of_last_child[parents[box.node]] = box.start + box.width;
  }
  EXPECT_EQ(placed.boxes.size(), 301u);
}

}  // namespace
}  // namespace ridge::trace_report
