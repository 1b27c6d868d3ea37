// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>

namespace ridge::report {

std::string json_lines(const model::run& run) {
  std::string out;
  for (const auto& family : run.families) {
    for (const auto& comparison : family.comparisons)
      out += model::comparison_json(run, family, comparison) + '\n';
  }
  return out;
}

}  // namespace ridge::report
