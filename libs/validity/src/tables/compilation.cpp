// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array compilation_table{
    issue{.id = "compiles_in_the_sample",
          .category = category::compilation,
          .happens = "Code is compiled, tuned or loaded inside some samples, or only inside the first.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "warm audit variables.cuda_code",
          .place = place::once_per_family,
          .severity = severity::warns,
          .answer = "Every variant has run in verification and until it was steady before rounds begin; the "
                    "traced pass names modules that a call loads.",
          .missing = "Only two calls are traced, and compilation on the host is not looked for. The cold "
                     "start is not a figure of its own.",
          .covers = "T9 aipe-35 aipe-57"},
    issue{.id = "compiled_output",
          .category = category::compilation,
          .happens = "A cache of a tracing compiler returns an output, or reuses the trace of other inputs.",
          .threat = threat::optimising_agent,
          .status = status::not_applicable,
          .answer = "Variants are compiled ahead of time; nothing traces them. Answers that a body keeps "
                    "itself are `replayed_output`.",
          .covers = "aipe-53 aipe-54"},
    issue{
        .id = "compiler_asymmetry",
        .category = category::compilation,
        .happens = "A just-in-time compiler optimizes one arm and not the other.",
        .threat = threat::honest_mistake,
        .status = status::not_applicable,
        .answer = "There is no just-in-time compiler; unequal flags of compiled arms are `unfair_baseline`.",
        .covers = "aipe-56"},
    issue{.id = "tuning_varies",
          .category = category::compilation,
          .happens = "A library tunes itself and takes another kernel from one call or run to the next.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "audit",
          .place = place::audit_pass,
          .severity = severity::warns,
          .answer = "Two traced calls that differ in kernels or grids are named, and the kernels are stored "
                    "with the measurement.",
          .missing = "Kernels of two runs are not compared.",
          .covers = "aipe-58"},
};

}  // namespace

std::span<const issue> compilation() { return compilation_table; }

}  // namespace ridge::validity::tables
