// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/op_model.hpp>
#include <ridge/trace/op_tree.hpp>
#include <ridge/trace/roofline_place.hpp>
#include <ridge/trace/tiles.hpp>

namespace ridge::trace {

// All calls of one operator with equal shapes and types. Device work belongs to the innermost operator on its
// path that has a model, else to the innermost operator.
struct op_cost {
  name_id name = 0;
  name_id input_dims = 0, input_types = 0, concrete_inputs = 0;
  event_id first_op = none;  // the first such call
  std::uint64_t calls = 0;   // calls that had device work
  std::uint64_t works = 0;
  nanoseconds device_ns = 0;  // sum over all calls
  nanoseconds median_call_ns = 0, fastest_call_ns = 0;
  name_id main_kernel = 0;                // the kernel with most of the time
  std::optional<op_model> model{};        // nullopt: no model
  std::optional<roofline_place> place{};  // of all calls together; nullopt: no model or no peaks
  std::optional<tile_estimate> tiles{};   // tiles of model->gemm, by main_kernel's name
  std::optional<alignment> align{};       // alignment of model->gemm
  // The best share of the roof that an aligned call of the same family and type reaches whose dimensions are
  // all within a factor of two: this one could reach it too. nullopt: the trace has no such call.
  std::optional<double> aligned_neighbour_share{};
  std::int64_t blocks = 0;  // largest grid of main_kernel; 0: not recorded
  // Whether main_kernel's name says that it uses matrix units ("tensorop", "s16816", "xmma", "_MI16x16",
  // "gtcx"); false as well where the name says nothing.
  bool matrix_units_named = false;
  // fp32 operands of matrix work with aligned dimensions, and no kernel of tf32: less precision would run on
  // matrix units several times as fast (rule K12).
  bool matrix_eligible = false;
  // The part of device_ns in kernels that only rearrange (transpose, permute, layout copies) inside a
  // product's calls.
  nanoseconds rearranging_ns = 0;
  // Launching and filling the device costs more than the work: the roof is below device_peaks::launch_s, or
  // it is attention with less than one tile of 128 queries per multiprocessor, or with at most 256 keys (two
  // iterations of a kernel's loop).
  bool small = false;

  // Seconds of device time above the roof; 0 where `place` is nullopt.
  [[nodiscard]] double above_roof_s() const;
};

// The costs of all operators in a window.
struct op_costs {
  std::vector<op_cost> ops{};   // largest device_ns first
  nanoseconds device_ns = 0;    // sum over all work in the window
  nanoseconds modelled_ns = 0;  // sum over work with a model
  double flops = 0;             // sum over modelled calls
  double bytes = 0;
  // flops / (peak of each call's type x window x devices): the share of what the devices could have computed,
  // the "model FLOPs utilisation" where the window is a training step. nullopt: no peak or no flops.
  std::optional<double> mfu{};
  std::vector<std::uint32_t> op_of_work{};    // for each of trace::works: into `ops`, or `none`
  std::vector<std::uint32_t> call_of_work{};  // the call that it counts in, into op_tree::nodes, or `none`
};

// Selects the work that starts in the window, on one device or (-1) on all.
struct op_cost_query {
  std::optional<time_range> window{};  // nullopt: first start to last end of device work
  std::int32_t device = -1;
};

// Returns the costs of the selected work. `tree` is op_tree_of(t); without `peaks` no places are made.
[[nodiscard]] op_costs op_costs_of(const trace& t, const op_tree& tree, const device_peaks& peaks,
                                   const op_cost_query& query = {});

}  // namespace ridge::trace
