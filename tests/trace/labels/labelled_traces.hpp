// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/diagnosis.hpp>

namespace ridge::trace::fixtures {

// What a trace ought to be called, and why, as tests/trace/labels/labels.json says.
struct label {
  std::string file{};
  std::vector<std::string> accepts{};   // any of these, first or second; empty: nothing is wrong with it
  std::vector<std::string> must_not{};  // no alarm of these; "*": none at all
  std::string reason{};
  std::string says{};    // part of the text of the finding accepted
  std::string device{};  // the one that the user names, where the trace tells none; "": not named
  double flops = 0;      // of each kernel, as its author states it; 0: not stated
};

[[nodiscard]] std::vector<label> labels_of(const char* group);  // "labelled", "others"

// All the traces of a file or folder, with any importer.
[[nodiscard]] result<std::vector<trace>> traces_in(const std::string& file);

// The devices that these traces ran on, by their makers' datasheets.
[[nodiscard]] std::vector<known_device> datasheets();

}  // namespace ridge::trace::fixtures
