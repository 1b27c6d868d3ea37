// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/roofline.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>

namespace ridge::report {
namespace {

using testing::HasSubstr;
using testing::Not;

model::roofline_point point(const char* label, double intensity, double rate, double share) {
  model::roofline_point p{.kernel = std::string("ch01.x: ") + label,
                          .group = "ch01.x",
                          .label = label,
                          .level = "DRAM",
                          .dtype = "fp32",
                          .units = "vector",
                          .flop = 1e9,
                          .bytes = 1e9 / intensity};
  p.seconds = 1e9 / rate;
  p.intensity = intensity;
  p.flop_per_s = rate;
  p.time_share = 0.5;
  p.verdict = {.bound = model::bound::memory,
               .roof = "cuda.read",
               .attainable = rate / share,
               .share = share,
               .headroom = 1 / share,
               .next = "fp32 <vector>"};
  return p;
}

model::roofline example_roofline() {
  model::roofline_chart c{.backend = model::backend::cuda, .device = "A & B"};
  c.roofs = {
      {.id = "cuda.read", .level = "DRAM", .value = 100e9, .specified = 125e9, .label = "DRAM read 100 GB/s"},
      {.id = "cuda.fma.fp32",
       .kind = model::roof_kind::compute,
       .dtype = "fp32",
       .units = "vector",
       .value = 1e12,
       .label = "fp32 vector 1.00 TFLOP/s"},
      {.id = "cuda.mma.fp8",
       .kind = model::roof_kind::compute,
       .dtype = "fp8",
       .units = "matrix",
       .value = 8e12,
       .label = "fp8 hidden",
       .shown = false}};
  c.ridges = {{"cuda.read", "cuda.fma.fp32", 10}};
  c.points = {point("slow", 1, 50e9, 0.5), point("fast", 1, 99e9, 0.99), point("far", 100, 400e9, 0.4)};
  c.points[0].measured_bytes = 4e9;
  c.points[0].measured_intensity = 0.25;
  return {.run = "R", .machine = "m", .charts = {c}};
}

// Every tag is closed in order, and no text holds a bare sign.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const auto end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const auto tag = svg.substr(at + 1, end - at - 1);
    if (tag.ends_with('/')) continue;
    if (tag.starts_with('/')) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  EXPECT_TRUE(open.empty());
  for (std::size_t at = svg.find('&'); at != std::string::npos; at = svg.find('&', at + 1))
    EXPECT_THAT(svg.substr(at, 6), testing::AnyOf(HasSubstr("&amp;"), HasSubstr("&lt;"), HasSubstr("&gt;"),
                                                  HasSubstr("&quot;")));
}

TEST(roofline_svg, is_well_formed_and_holds_roofs_kernels_and_ridges) {
  const auto svg = roofline_svg(example_roofline());
  expect_well_formed(svg);
  for (const auto* part :
       {"DRAM read 100 GB/s (80 %)", "fp32 vector 1.00 TFLOP/s", "A &amp; B", "ch01.x: slow", ">10.0 fp32<",
        "class=\"roof\"", "class=\"stated\"", "class=\"arrow", "prefers-color-scheme:dark", "rotate(-45.0"})
    EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_THAT(svg, Not(HasSubstr("fp8 hidden")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(roofline_svg, counts_one_kernel_as_one_and_rounds_no_share_to_zero) {
  auto one = example_roofline();
  one.charts[0].points = {point("slow", 1, 1e6, 0.00002)};
  const auto svg = roofline_svg(one);
  EXPECT_THAT(svg, HasSubstr(" 1 kernel<"));
  EXPECT_THAT(svg, HasSubstr("&lt;0.1 % DRAM"));
  EXPECT_THAT(svg, Not(HasSubstr(" 0 %")));
}

TEST(roofline_svg, gives_the_slowest_kernel_no_larger_mark) {
  auto apart = example_roofline();
  auto equal = apart;
  apart.charts[0].points[0].time_share = 0.9;
  equal.charts[0].points[0].time_share = 0.1;
  EXPECT_EQ(roofline_svg(apart), roofline_svg(equal));
}

TEST(roofline_svg, says_which_kernels_it_leaves_out_and_draws_all_where_asked) {
  auto many = example_roofline();
  auto& points = many.charts[0].points;
  points.clear();
  for (int i = 0; i < 40; ++i) {
    points.push_back(point("", 1, 50e9, 0.5));
    points.back().label = "kernel" + std::to_string(i);
    points.back().time_share = i < 5 ? 0.001 : 0.02;
  }
  points.push_back(point("workless", 0, 0, 0));
  EXPECT_EQ(kernels_left_out(many), 5u);
  EXPECT_EQ(kernels_left_out(many, points.size()), 0u);
  const auto usual = roofline_svg(many), whole = roofline_svg(many, points.size());
  EXPECT_THAT(usual, HasSubstr("in the table alone: 5 of less time than these 35, 1 without operations<"));
  EXPECT_THAT(usual, Not(HasSubstr(">kernel4<")));
  EXPECT_THAT(whole, HasSubstr("in the table alone: 1 without operations<"));
  EXPECT_THAT(whole, HasSubstr(">kernel4<"));
  expect_well_formed(whole);
}

TEST(roofline_svg, draws_bandwidths_at_45_degrees) {
  const auto svg = roofline_svg(example_roofline());
  const auto at = svg.find("<line class=\"roof\"");
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  ASSERT_EQ(std::sscanf(svg.c_str() + at, "<line class=\"roof\" x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"",
                        &x1, &y1, &x2, &y2),
            4);
  EXPECT_NEAR(x2 - x1, y1 - y2, 0.3);
}

TEST(roofline_svg, draws_no_kernel_and_no_roof_either) {
  auto bare = example_roofline();
  bare.charts[0].points.clear();
  expect_well_formed(roofline_svg(bare));
  expect_well_formed(roofline_svg({.machine = "m", .charts = {{}}}));
  expect_well_formed(roofline_svg({}));
}

TEST(roofline_braille, matches_what_was_approved) {
  const auto drawn = roofline_braille(example_roofline().charts[0], {.columns = 80});
  const auto path =
      std::string(std::getenv("RIDGE_SOURCE_DIR")) + "/libs/report/tests/golden/roofline.txt.approved";
  const auto approved = read_file(path).value();
  if (drawn != approved) std::ofstream(path.substr(0, path.rfind('.')) + ".received") << drawn;
  EXPECT_EQ(drawn, approved);
}

TEST(roofline_braille, colours_only_where_it_may) {
  const auto chart = example_roofline().charts[0];
  EXPECT_THAT(roofline_braille(chart, {}), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(roofline_braille(chart, {.color = true}), HasSubstr("\x1b["));
}

TEST(roofline_braille, fits_any_width) {
  for (const std::size_t columns : {1u, 40u, 60u, 200u})
    EXPECT_FALSE(roofline_braille(example_roofline().charts[0], {.columns = columns}).empty());
  EXPECT_FALSE(roofline_braille({}, {}).empty());
}

TEST(roofline_table, says_bound_share_headroom_and_ridges) {
  const auto text = roofline_table(example_roofline().charts[0]);
  for (const auto* part :
       {"memory (DRAM)", "50 %", "2.00×", "on the roof", "fp32 <vector>",
        "ridge of DRAM: a kernel needs 10.0 for fp32 vector (FLOP/B)", "4.00 times what is declared"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(roofline_csv, has_a_line_for_each_roof_and_kernel) {
  const auto csv = roofline_csv(example_roofline());
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 3 + 3);
  EXPECT_THAT(csv, HasSubstr("roof,cuda,0,cuda.read,DRAM,,measured,,,100000000000,B/s,,,125000000000,"));
  EXPECT_THAT(csv, HasSubstr("kernel,cuda,1,ch01.x: slow,DRAM,fp32,declared,1,0.25,50000000000,FLOP/s,"));
  const auto columns =
      std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(csv.find('\n')), ',');
  for (std::size_t at = 0, end = 0; (end = csv.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_EQ(std::count(csv.begin() + static_cast<std::ptrdiff_t>(at),
                         csv.begin() + static_cast<std::ptrdiff_t>(end), ','),
              columns);
}

}  // namespace
}  // namespace ridge::report
