// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/ceiling.hpp>

namespace ridge::report {

// The texts of one row; a text is empty where nothing is known.
struct peak_row {
  explicit peak_row(const model::ceiling& ceiling);
  std::string name;      // "cpu.read ×2"
  std::string value;     // "33.1 GB/s ±1.2 %"
  std::string of_issue;  // "97 %"
  std::string of_spec;   // "88 %"
  std::string clock;     // "1.76 GHz"
  std::string power;     // "512 W"
  std::string method;    // the variant, the figure on zeros
  std::string low;       // why it is low
};

}  // namespace ridge::report
