// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/kernel_call.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/fit_efficiency.hpp>

namespace ridge::plan::kernels {

// A kernel that was timed on a machine of the user.
struct measured_call {
  model::kernel_call call{};
  double seconds = 0, spread = 0;  // median of replays; distance of their quartiles over it
  std::string implementation{};    // "cuBLASLt 13.0.2"
};

// A kernel and format that could not be timed, and why.
struct unmeasured_kernel {
  std::string kernel{}, format{}, why{};
};

// What `ridge plan measure` measured on one GPU or CPU (file ridge.plan.kernels/1).
struct kernel_measurements {
  std::string gpu{}, generation{};            // as the hardware catalogue names them: "H100 SXM", "hopper"
  std::string device{}, driver{}, runtime{};  // in the words of the driver
  std::string date{};                         // of the last row
  std::vector<measured_call> rows{};
  std::vector<unmeasured_kernel> refused{};
  // Coefficients fitted by fit_curves(). The errors of an entry are those on its held-out rows.
  std::vector<efficiency_entry> curves{};

  // Whether a call was measured already.
  [[nodiscard]] bool has(const model::kernel_call& call) const;
};

// What a machine can be asked for.
struct measurement_scope {
  bool gpu = true;
  bool fp8 = false;         // products of it
  int gpus = 1;             // that take part in collectives
  double memory_bytes = 0;  // that operands of one call may take
};

// The calls to time, in an order in which any beginning of the list holds all kernels: the sizes of products,
// attention and experts in served models of 1 to 400 billion parameters, whole and divided among up to eight
// GPUs.
[[nodiscard]] std::vector<model::kernel_call> calls_to_measure(const measurement_scope& scope);

// The generation of a CPU among accelerators.
inline constexpr std::string_view cpu_generation = "cpu";

// A CPU as an accelerator whose limits are the greatest rates among the rows: of fp32 products, and of
// elementwise traffic of 8 MiB and more. The error says which of them is missing.
[[nodiscard]] result<accelerator> measured_host(const kernel_measurements& m, double memory_bytes);
// The same as a catalogue that --hardware takes (ridge.hardware/1).
[[nodiscard]] std::string hardware_json(const accelerator& host, const kernel_measurements& m);

// Whether a row is held out of the fit and judges it: half of them, by a hash of the call.
[[nodiscard]] bool held_out(const model::kernel_call& call);

// How the times of a call are predicted; nothing for calls without coefficients (launches). The error names
// an unknown kernel or format.
[[nodiscard]] result<timed_kernel> prediction_of(const measured_call& row);

// Fits the coefficients of every kernel and format with at least eight rows for the fit.
[[nodiscard]] result<void> fit_curves(kernel_measurements& m, const accelerator& gpu);

// Whether answers stand on a curve that was measured. Not on products in fp8: they are timed without the
// quantization of their inputs, which engines add, and with them the time per output token of 780 measured
// operating points of H100 is off by 11.1 % in the median instead of 7.5 (docs/design/plan/figures.md).
[[nodiscard]] bool answers_use(const efficiency_entry& measured);

// The coefficients of others with those that were measured and that answers use in place of those of the same
// GPU, kernel and format.
[[nodiscard]] efficiency_catalogue with_measured(efficiency_catalogue others, const kernel_measurements& m);

// The error of other coefficients on the held-out rows of a kernel and format.
[[nodiscard]] fit_error error_on_rows(const kernel_measurements& m, const accelerator& gpu,
                                      const efficiency_entry& of_kernel,
                                      const efficiency_catalogue& coefficients);

// Writes measurements as JSON, and reads them from text called `name` or from a file. The errors name the
// file and the member.
[[nodiscard]] std::string measurements_json(const kernel_measurements& m);
[[nodiscard]] result<kernel_measurements> parse_measurements(std::string_view text, std::string_view name);
[[nodiscard]] result<kernel_measurements> load_measurements(const std::filesystem::path& file);

}  // namespace ridge::plan::kernels
