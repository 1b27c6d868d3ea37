// SPDX-License-Identifier: Apache-2.0
#include "tree/amounts.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::probe {

std::string bytes_words(double bytes) {
  auto words = format_quantity(bytes, "B", 4);
  const auto blank = words.find(' ');
  auto number = words.substr(0, blank);
  if (number.find('.') != std::string::npos) {
    while (number.ends_with('0')) number.pop_back();
    if (number.ends_with('.')) number.pop_back();
  }
  return number + words.substr(blank);
}

void add_bytes(model::machine_node& to, std::string what, double bytes) {
  if (bytes > 0) to.add(std::move(what), bytes_words(bytes), bytes, "B");
}

void add_count(model::machine_node& to, std::string what, double count) {
  if (count > 0) to.add(std::move(what), fmt::format("{:.0f}", count), count, "1");
}

void add_clock(model::machine_node& to, std::string what, double hz) {
  if (hz > 0) to.add(std::move(what), fmt::format("{:.0f} MHz", hz * 1e-6), hz, "Hz");
}

void add_rate(model::machine_node& to, std::string what, double bytes_per_s) {
  if (bytes_per_s > 0) to.add(std::move(what), format_quantity(bytes_per_s, "B/s"), bytes_per_s, "B/s");
}

void add_yes_no(model::machine_node& to, std::string what, bool yes) {
  to.add(std::move(what), yes ? "yes" : "no", yes ? 1 : 0, "1");
}

}  // namespace ridge::probe
