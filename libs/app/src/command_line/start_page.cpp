// SPDX-License-Identifier: Apache-2.0
#include "command_line/start_page.hpp"

#include <fmt/format.h>

#include <ridge/app/version.hpp>
#include <ridge/report/table.hpp>

#include "catalogue/catalogue.hpp"

namespace ridge::app {

std::string start_page(const context& program) {
  const auto known = describe(program.experiments.all());
  const std::string example = known.empty() ? "ch01.name" : known.front().id;
  report::table table({{""}, {""}});
  table.row({{"ridge list", report::tone::strong},
             {fmt::format("the {} experiments of this program", known.size())}});
  table.row({{"ridge show " + example, report::tone::strong},
             {"one experiment: question, variants, last results"}});
  table.row({{"ridge run " + example, report::tone::strong},
             {"measure it here: verified, interleaved, with intervals"}});
  table.row({{"ridge run ch01 --profile minimal", report::tone::strong},
             {"a first answer for a chapter in under a minute"}});
  table.row({{"ridge bench -- ./old -- ./new", report::tone::strong}, {"compare any two programs"}});
  table.row({{"ridge doctor", report::tone::strong}, {"what this machine offers, and what will be skipped"}});
  table.row({{"ridge --help", report::tone::strong}, {"every command"}});
  return fmt::format(
      "{}: tells whether code is faster, by how much, and how far it is from the limit of this "
      "machine.\n\n{}",
      paint(program.out, report::tone::strong, version_line()), table.text(layout_on(program.out, 2)));
}

}  // namespace ridge::app
