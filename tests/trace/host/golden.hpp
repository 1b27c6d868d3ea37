// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fixtures/data.hpp"
#include "fixtures/reference_reader.hpp"

namespace ridge::trace::fixtures {

// Calls `check` with the figures and the trace of each file of a golden one that is there; how many were.
inline int for_each_golden(const std::string& golden, const std::string& folder,
                           const std::function<void(const nlohmann::json&, const trace&)>& check) {
  const auto all = nlohmann::json::parse(std::ifstream(data_file(golden)));
  int compared = 0;
  for (const auto& [name, figures] : all.items()) {
    const auto path = data_file(folder + name);
    if (path.empty()) continue;
    SCOPED_TRACE(name);
    check(figures, reference_trace_of(path));
    ++compared;
  }
  return compared;
}

}  // namespace ridge::trace::fixtures
