// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// The run that a chart is to show. `words`: a file written by `ridge run --save`, a stored run, or
// experiments, which are then measured shortly and not stored; none: the newest stored run, or only the
// ceilings of this machine where there is none. A stored run of CPU alone keeps its own ceilings.
[[nodiscard]] result<model::run> run_to_chart(const context& program, const std::vector<std::string>& words);

// The ceilings of this machine as a run without families, the GPU's too where there is one.
[[nodiscard]] model::run ceilings_alone(const context& program);

}  // namespace ridge::app
