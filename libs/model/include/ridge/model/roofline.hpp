// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/names.hpp>

// A roofline chart as plain data (Williams, Waterman and Patterson, CACM 52, 2009), in the hierarchical
// convention (Yang, Kurth and Williams, CCPE 2020): one line a memory level, and a kernel stands at the
// intensity of the bytes that pass that level. Intensities are FLOP/byte, rates FLOP/s and B/s.
namespace ridge::model {

// One line: a bandwidth (a diagonal) or a peak rate (a horizontal).
struct roof {
  std::string id{};  // of its ceiling: "cuda.read", "cuda.mma.bf16"
  roof_kind kind{roof_kind::bandwidth};
  roof_origin origin{roof_origin::measured};
  std::string level{};   // of a bandwidth: "L1", "shared", "L2", "L3", "DRAM", "host"
  std::string dtype{};   // of a peak: "fp32"
  std::string units{};   // of a peak: "vector" or "matrix"
  double value = 0;      // B/s or FLOP/s
  ridge::interval ci{};  // where it was measured
  double specified = 0;  // what the vendor states for the same; 0: nothing
  double clock_hz = 0;   // at which a specified peak is stated; 0: not known
  std::string label{};   // "DRAM read 4.58 TB/s"
  bool shown = true;     // drawn unless others are asked for
};

// The point where a peak and a bandwidth meet: kernels of lower intensity are bound by that level.
struct ridge_point {
  std::string bandwidth{};  // ids of both roofs
  std::string compute{};
  double intensity = 0;
};

// What the chart concludes about one kernel.
struct roofline_verdict {
  model::bound bound{model::bound::unknown};
  std::string roof{};     // the id of the roof above it; empty: none applies
  double attainable = 0;  // the rate on that roof: FLOP/s, or B/s for a kernel without operations
  double share = 0;       // share of the attainable rate that the kernel reaches
  double headroom = 0;    // how many times faster it would be on the roof
  double ridge = 0;       // FLOP/byte above which its peak is the limit; 0: no peak applies
  std::string next{};     // in words: the roof that would limit it next
};

// A kernel on the chart.
struct roofline_point {
  std::string kernel{};  // "ch01.roofline_placement kernel=dot n=2^13: vectorized"
  std::string group{};   // kernels of one group have one colour: the problem
  std::string label{};   // short, for the chart
  std::string level{};   // the memory level whose bytes are declared
  std::string dtype{};
  std::string units{};
  int threads = 1;
  double flop = 0;        // of one call
  double bytes = 0;       // of one call, as declared
  double seconds = 0;     // of one call
  double intensity = 0;   // flop / bytes; 0: no operations
  double flop_per_s = 0;  // with its interval
  ridge::interval flop_per_s_ci{};
  double bytes_per_s = 0;
  double time_share = 0;                   // share of the time of all kernels of the chart
  std::optional<double> measured_bytes{};  // counted by the hardware
  std::optional<double> measured_intensity{};
  roofline_verdict verdict{};
};

// One step of an intensity sweep: a kernel that does a fixed number of multiply-adds for each element it
// reads.
struct sweep_step {
  int fma_per_element = 0;
  double intensity = 0;
  double flop_per_s = 0;  // B/s when it does no multiply-add
  double roof = 0;        // min(peak, bandwidth × intensity), measured in the same rounds
  double share = 0;       // median over the rounds of flop_per_s / roof
  ridge::interval share_ci{};
  bool at_knee = false;  // within half a decade of the ridge, where both limits bind
};

// Synthetic kernels of known intensity on one working set: how much of the roof is reached.
struct intensity_sweep {
  std::string level{};
  int threads = 1;
  double working_set_bytes = 0;
  double bandwidth = 0;  // measured in the same rounds
  double peak = 0;
  double ridge = 0;
  double worst_off_knee = 0;  // the largest |share - 1| away from the knee
  double knee_rounding = 0;   // 1 - the smallest share at the knee
  std::string note{};         // why the sweep may be wrong; empty when it is sound
  std::vector<sweep_step> steps{};
};

// One chart: the kernels that share a set of roofs.
struct roofline_chart {
  model::backend backend{model::backend::cpu};
  std::string device{};  // "NVIDIA H200", the processor's model name
  int threads = 0;       // on a CPU; 0: not applicable
  std::vector<roof> roofs{};
  std::vector<ridge_point> ridges{};
  std::vector<roofline_point> points{};
  std::vector<intensity_sweep> sweeps{};
};

// All charts of one run.
struct roofline {
  std::string run{};  // its id; empty without one
  std::string machine{};
  std::string started{};
  std::vector<roofline_chart> charts{};
};

}  // namespace ridge::model
