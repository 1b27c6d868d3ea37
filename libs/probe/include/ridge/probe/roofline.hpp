// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/hardware/catalogue.hpp>
#include <ridge/hardware/specification.hpp>
#include <ridge/model/ceiling.hpp>
#include <ridge/model/roofline.hpp>
#include <ridge/model/run.hpp>

// The arithmetic of a roofline chart: pure, from what was measured and what is specified.
namespace ridge::probe {

// What a ceiling's id says of its roof.
struct roof_name {
  model::roof_kind kind{model::roof_kind::bandwidth};
  std::string level{}, access{};  // "DRAM", "read"
  std::string dtype{}, units{};   // "bf16", "matrix"
};

// By prefix, so that new rows appear: "cuda.read" is DRAM, "cuda.l2.read" L2, "cpu.copy.l1" L1,
// "cuda.copy.h2d" the host's link, "cuda.mma.bf16" matrix units, "cpu.fma.fp32" vector lanes. Nothing for
// rows of one instruction set ("cpu.fma.fp32.avx2") and for what is no roof.
[[nodiscard]] std::optional<roof_name> roof_of(std::string_view ceiling);

// From the fastest level outwards: shared, L1, L2, L3, DRAM, host; unknown ones last.
[[nodiscard]] int rank_of_level(std::string_view level);

// min(peak, bandwidth x intensity); 0 for a limit means that none applies.
[[nodiscard]] double attainable(double peak, double bandwidth, double intensity);

struct roofline_options {
  std::string only{};                 // a glob over kernels; empty: all
  std::vector<std::string> dtypes{};  // peaks to draw; empty: those of the kernels, then the usual ones
  std::vector<std::string> levels{};  // bandwidths to draw; empty: the device's own
  std::size_t most_roofs = 6;         // drawn in one chart, where nothing was chosen
};

// The specified limit of a ceiling at a number of threads, if any.
using specified_limit =
    std::function<std::optional<hardware::specification>(std::string_view ceiling, int threads)>;

// The roofs of one backend at a number of threads (0: any): the best row of a level or type, measured, or
// specified where none was. Bandwidths first, each kind ascending.
[[nodiscard]] std::vector<model::roof> roofs_of(const model::peak& peak, model::backend backend, int threads,
                                                const specified_limit& specified);

// Where its peaks and bandwidths meet, of the roofs that are shown.
[[nodiscard]] std::vector<model::ridge_point> ridges_of(const std::vector<model::roof>& roofs);

// What the roofs say of a point: those of its level and type, shown or not.
[[nodiscard]] model::roofline_verdict judge(const model::roofline_point& point,
                                            const std::vector<model::roof>& roofs);

// The charts of a run: one a backend, and on a CPU one a number of threads, since their roofs differ. A run
// without families gives the roofs alone. Kernels that were skipped, refused or timed on a simulated clock
// are left out.
[[nodiscard]] model::roofline roofline_of(const model::run& run, const hardware::catalogue& known,
                                          const roofline_options& options = {});

}  // namespace ridge::probe
