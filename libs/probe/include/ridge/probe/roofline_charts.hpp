// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/model/roofline.hpp>
#include <ridge/model/run.hpp>

namespace ridge::probe {

// Which kernels and roofs the charts show.
struct roofline_options {
  std::string only{};                 // a glob over kernels; empty: all
  std::vector<std::string> dtypes{};  // peaks to draw; empty: those of the kernels, then the usual ones
  std::vector<std::string> levels{};  // bandwidths to draw; empty: the device's own
  std::size_t most_roofs = 6;         // drawn in one chart, where nothing was chosen
};

// Returns the charts of a run from what was measured and what is specified: one chart per backend, on a CPU
// one per number of threads, since their roofs differ. A run without families gives the roofs alone. Kernels
// that were skipped, refused or timed on a simulated clock are left out.
[[nodiscard]] model::roofline roofline_of(const model::run& run, const hardware::catalogue& known,
                                          const roofline_options& options = {});

}  // namespace ridge::probe
