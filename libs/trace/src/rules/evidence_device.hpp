// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/trace/evidence.hpp>

namespace ridge::trace {

// Fills in what is known of the device: by the name that the trace gives it, else by its kernels' names.
void know_device(const trace& t, std::span<const known_device> all, device_evidence& d);

// Adds the kernels and operators of all traces whose limit can be judged, and the pools of traces that hold
// counters alone.
void judge_kernels(evidence& e, const diagnose_options& options);

// Returns an operator with the shapes of its inputs: "aten::mm [[64, 64], [64, 64]]".
[[nodiscard]] std::string subject_of(const trace& t, const op_cost& c);

}  // namespace ridge::trace
