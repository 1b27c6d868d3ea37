// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/diagnosis.hpp>

namespace ridge::trace::fixtures {

// The diagnosis that a trace should get, and why, as tests/trace/labels/labels.json says.
struct label {
  std::string file{};
  std::vector<std::string>
      accepts{};  // one of these must be first or second; empty: nothing is wrong with the trace
  std::vector<std::string> must_not{};  // none of these may be an alarm; "*": no alarm at all
  std::string reason{};
  std::string says{};    // part of the accepted finding's text
  std::string device{};  // the device that the user names where the trace names none; "": not named
  double flops = 0;      // operations of each kernel, as its author states them; 0: not stated
};

[[nodiscard]] std::vector<label> labels_of(const char* group);  // "labelled", "others"

// Returns all traces of a file or folder, read by any importer.
[[nodiscard]] result<std::vector<trace>> traces_in(const std::string& file);

// Returns the devices that these traces ran on, by their makers' datasheets.
[[nodiscard]] std::vector<known_device> datasheets();

}  // namespace ridge::trace::fixtures
