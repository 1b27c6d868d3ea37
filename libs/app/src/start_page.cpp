// SPDX-License-Identifier: Apache-2.0
#include "start_page.hpp"

#include <fmt/format.h>

#include "catalogue.hpp"
#include "text_table.hpp"
#include "version.hpp"

namespace ridge::app {

std::string start_page(const context& in) {
  const auto known = describe(in.experiments);
  const std::string example = known.empty() ? "ch01.name" : known.front().id;
  text_table table({{}, {.elastic = true}});
  table.add({{"ridge list", style::bold}, {fmt::format("the {} experiments of this program", known.size())}});
  table.add({{"ridge show " + example, style::bold}, {"one experiment: question, variants, last results"}});
  table.add(
      {{"ridge run " + example, style::bold}, {"measure it here: verified, interleaved, with intervals"}});
  table.add({{"ridge run ch01 --profile minimal", style::bold},
             {"a first answer for a chapter in under a minute"}});
  table.add({{"ridge bench -- ./old -- ./new", style::bold}, {"compare any two programs"}});
  table.add({{"ridge doctor", style::bold}, {"what this machine offers, and what will be skipped"}});
  table.add({{"ridge --help", style::bold}, {"every command"}});
  return fmt::format("{}: is it really faster, by how much, and how far from this machine's limit?\n\n{}",
                     paint(in.out, style::bold, version_line()), table.render(in.out, 2));
}

}  // namespace ridge::app
