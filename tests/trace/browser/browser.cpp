// SPDX-License-Identifier: Apache-2.0
#include "browser.hpp"

#include <cstdlib>
#include <regex>

#include <fixtures/data.hpp>
#include <fixtures/scratch_folder.hpp>

namespace ridge::trace_report {
namespace {

bool starts(const std::string& program) {
  return std::system(("timeout 30 '" + program + "' --version >/dev/null 2>&1 </dev/null").c_str()) == 0;
}

std::string find_browser() {
  if (const auto* named = std::getenv("RIDGE_BROWSER")) return named;
  for (const auto* program : {"chromium", "google-chrome", "chromium-browser"}) {
    if (starts(program)) return program;
  }
  return "";
}

constexpr auto options =
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --window-size=1200,900 "
    "--virtual-time-budget=5000 --dump-dom";

}  // namespace

const std::string& browser() {
  static const std::string program = find_browser();
  return program;
}

std::map<std::string, std::string> opened(const std::string& text, const std::string& name,
                                          const std::string& hash) {
  const trace::fixtures::scratch_folder folder;
  const auto page = folder.write(name, text);
  const auto dump = (folder.path() / "dump").string();
  const auto profile = (folder.path() / "profile").string();
  const auto line = "timeout 60 '" + browser() + "' " + options + " --user-data-dir='" + profile +
                    "' 'file://" + page + hash + "' >'" + dump + "' 2>/dev/null </dev/null";
  std::map<std::string, std::string> found;
  if (std::system(line.c_str()) != 0) return found;
  const auto seen = trace::fixtures::text_of(dump);
  std::smatch root;
  if (!std::regex_search(seen, root, std::regex("<(html|svg)\\b[^>]*>"))) return found;
  const auto tag = root.str();
  const std::regex attribute("data-([a-z]+)=\"([^\"]*)\"");
  for (std::sregex_iterator at(tag.begin(), tag.end(), attribute), end; at != end; ++at)
    found[(*at)[1]] = (*at)[2];
  return found;
}

std::string with_script(std::string page, const std::string& script) {
  return page.insert(page.rfind("</body>"), "<script>" + script + "</script>\n");
}

}  // namespace ridge::trace_report
