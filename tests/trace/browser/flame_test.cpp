// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ridge/trace/flame_text.hpp>
#include <ridge/trace_report/flame_svg.hpp>

#include "browser.hpp"

namespace ridge::trace_report {
namespace {

std::string picture() {
  return flame_svg(
      trace::flame_of_collapsed("main;left;deep 30\nmain;left 20\nmain;right;<b>&x 40\nmain 10\n"));
}

// The picture with a script of ours behind its own.
std::string picture_with(const std::string& script) {
  auto svg = picture();
  return svg.insert(svg.rfind("</svg>"), "<script><![CDATA[" + script + "]]></script>");
}

TEST(flame, opens_from_disk_and_finds_frames) {
  if (browser().empty()) GTEST_SKIP() << no_browser;
  EXPECT_EQ(opened(picture(), "flame.svg")["shown"], "6");
  EXPECT_EQ(opened(picture(), "flame.svg", "#search=deep")["hits"], "1");
}

TEST(flame, a_click_zooms_and_escape_shows_all_again) {
  if (browser().empty()) GTEST_SKIP() << no_browser;
  const std::string click =
      "const g = [...document.querySelectorAll('g.f')].find((f) => f.textContent.startsWith('left')); "
      "g.dispatchEvent(new MouseEvent('click', {bubbles: true}));";
  EXPECT_EQ(opened(picture_with(click), "flame.svg")["shown"], "4");  // all, main, left, deep
  EXPECT_EQ(
      opened(picture_with(click + "window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));"),
             "flame.svg")["shown"],
      "6");
}

}  // namespace
}  // namespace ridge::trace_report
