// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/hta_semantics.hpp>

// What Holistic Trace Analysis says of a program's annotations, steps, ranks and operators, by its
// definitions (see hta_semantics.hpp).
namespace ridge::trace {

// Which annotations are counted, and which names are shown.
struct hta_annotation_options {
  bool of_device = true;                  // the device's mirror of annotations; false: the host's own
  std::size_t names_shown = 1000;         // HTA's num_kernels: the others are folded as kernels are
  double sums_shown = 0.8;                // its duration_ratio
  std::vector<std::string> kept_parts{};  // its allowlist_patterns: a name that holds one is never folded
};
// Returns the annotations of one rank by name; nothing where the trace has none at all. `type` means nothing.
[[nodiscard]] std::optional<std::vector<hta_kernel_time>> hta_annotations(
    const trace& t, const hta_annotation_options& which = {}, const hta_options& options = {});

// A work and the annotation that it ran in.
struct hta_annotated_work {
  work_id work = none;
  time_range times{};          // as HTA takes them; it may end before it starts
  event_id annotation = none;  // the shortest of the device's annotations on its stream that it overlaps
};
// Returns the works that HTA keeps, by start; nothing where the trace has no annotation of the device.
[[nodiscard]] std::optional<std::vector<hta_annotated_work>> hta_annotated_works(
    const trace& t, const hta_options& options = {});

// Returns the numbers of the ProfilerSteps that HTA keeps, ascending, each once.
[[nodiscard]] std::vector<std::int64_t> hta_profiler_steps(const trace& t, const hta_options& options = {});

// Which steps and how many ranks are looked at.
struct hta_straggler_options {
  std::vector<std::int64_t> steps{};  // empty: all
  std::size_t candidates = 2;
};
// Returns the places in `ranks` of those that came last to the long communication kernel ("ncclKernel...")
// whose length varies most between ranks, most often first. Ranks are traces on one clock. The error says why
// none can be told.
[[nodiscard]] result<std::vector<std::size_t>> hta_stragglers(std::span<const trace* const> ranks,
                                                              const hta_straggler_options& which = {},
                                                              const hta_options& options = {});

// One sequence of works that operators launched.
struct hta_sequence {
  std::string pattern{};  // the operator, then the works in the order of their starts, with | between
  std::uint64_t count = 0;
  nanoseconds gpu_ns = 0;  // sum of the works
  nanoseconds cpu_ns = 0;  // sum of the operators
};
// Returns the sequences below the outermost operators whose name holds `operator_part` and that launched at
// least `shortest` works, most frequent first.
[[nodiscard]] std::vector<hta_sequence> hta_sequences(const trace& t, std::string_view operator_part,
                                                      std::size_t shortest = 3,
                                                      const hta_options& options = {});

}  // namespace ridge::trace
