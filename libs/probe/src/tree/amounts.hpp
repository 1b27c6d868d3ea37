// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/machine_tree.hpp>

// Facts that are numbers, in words and with their unit. Those that are 0 where 0 means unknown are left out.
namespace ridge::probe {

// "105 MiB", "1.969 TiB": four digits, no zeros behind the point.
[[nodiscard]] std::string bytes_words(double bytes);

void add_bytes(model::machine_node& to, std::string what, double bytes);
void add_count(model::machine_node& to, std::string what, double count);
void add_clock(model::machine_node& to, std::string what, double hz);
void add_rate(model::machine_node& to, std::string what, double bytes_per_s);
// "yes" and 1, "no" and 0.
void add_yes_no(model::machine_node& to, std::string what, bool yes);

}  // namespace ridge::probe
