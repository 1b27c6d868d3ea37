// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/machine_tree.hpp>

// Facts that are numbers, in words and with their unit. A fact is left out where its value is 0 and 0 means
// unknown.
namespace ridge::probe {

// Returns "105 MiB", "1.969 TiB": up to four digits, without trailing zeros.
[[nodiscard]] std::string bytes_words(double bytes);

void add_bytes(model::machine_node& part, std::string label, double bytes);
void add_count(model::machine_node& part, std::string label, double count);
void add_clock(model::machine_node& part, std::string label, double hz);
void add_rate(model::machine_node& part, std::string label, double bytes_per_s);
// Adds "yes" and 1, or "no" and 0.
void add_yes_no(model::machine_node& part, std::string label, bool yes);

}  // namespace ridge::probe
