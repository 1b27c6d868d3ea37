// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/op_model.hpp>
#include <ridge/trace/op_tree.hpp>
#include <ridge/trace/roofline.hpp>
#include <ridge/trace/tiles.hpp>

namespace ridge::trace {

// Calls of one operator with equal shapes and types. Device work belongs to the innermost operator on its
// path that has a model, else to the innermost operator.
struct op_cost {
  name_id name = 0;
  name_id input_dims = 0, input_types = 0, concrete_inputs = 0;
  event_id first_op = none;  // an example
  std::uint64_t calls = 0;   // that had device work
  std::uint64_t works = 0;
  nanoseconds device_ns = 0;  // of all calls
  nanoseconds median_call_ns = 0, fastest_call_ns = 0;
  name_id main_kernel = 0;                // most of the time
  std::optional<op_model> model{};        // nullopt: no model
  std::optional<roofline_place> place{};  // all calls together; nullopt: no model or no peaks
  std::optional<tile_estimate> tiles{};   // of model->gemm by main_kernel's name
  std::optional<alignment> align{};       // of model->gemm
  // Best share of the roof of an aligned call of the same family and type whose dimensions are all within a
  // factor of two: what this one could reach. nullopt: no such call in the trace.
  std::optional<double> aligned_neighbour_share{};
  std::int64_t blocks = 0;  // of main_kernel's grid, the largest; 0: not told
  // Whether main_kernel's name says that it uses matrix units ("tensorop", "s16816", "xmma", "_MI16x16",
  // "gtcx"); false as well where the name says nothing.
  bool matrix_units_named = false;
  // fp32 operands of matrix work with aligned dimensions, and no kernel of tf32: less precision would run on
  // matrix units several times as fast (rule K12).
  bool matrix_eligible = false;
  // Of device_ns: kernels that only rearrange (transpose, permute, layout copies) inside a product's calls.
  nanoseconds rearranging_ns = 0;
  // Launching and filling the device costs more than the work: the roof is below device_peaks::launch_s, or
  // it is attention with less than a tile of 128 queries a multiprocessor, or with at most 256 keys, which
  // are two turns of a kernel's loop.
  bool small = false;

  // Seconds of device time above the roof; 0 without a place.
  [[nodiscard]] double above_roof_s() const;
};

struct op_costs {
  std::vector<op_cost> ops{};   // largest device_ns first
  nanoseconds device_ns = 0;    // of all work in the window
  nanoseconds modelled_ns = 0;  // of work with a model
  double flops = 0;             // of modelled calls
  double bytes = 0;
  // flops / (peak of each call's type x window x devices), the share of what the devices could have computed;
  // nullopt: no peak or no flops. "Model FLOPs utilisation" where the window is a training step.
  std::optional<double> mfu{};
};

// Work that starts in the window, of one device or (-1) of all.
struct op_cost_query {
  std::optional<time_range> window{};  // nullopt: first to last device work
  std::int32_t device = -1;
};

[[nodiscard]] op_costs op_costs_of(const trace& t, const op_tree& tree, const device_peaks& peaks,
                                   const op_cost_query& query = {});

}  // namespace ridge::trace
