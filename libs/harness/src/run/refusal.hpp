// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/measurement.hpp>

#include "run/progress_mark.hpp"

namespace ridge::harness {

// How a variant failed in a stage.
struct refusal {
  std::string why{};
  model::failure_kind failure{model::failure_kind::wrong_output};
  std::string signal{};
};

// Notes the failure in the measurement; an empty reason refuses nothing.
void refuse(model::measurement& m, refusal failed, progress_mark::stage stage);

// The word of a stage in documents: "verification", "set_up", "timing", "recheck", "audit".
[[nodiscard]] const char* word_of(progress_mark::stage stage);

}  // namespace ridge::harness
