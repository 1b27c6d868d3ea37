// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/evidence.hpp>
#include <ridge/trace/finding.hpp>

namespace ridge::trace {

// The outcome of a diagnosis as a whole.
enum class overall_verdict : std::uint8_t {
  insufficient,   // the data do not suffice for a verdict
  nothing_found,  // no rule that could be evaluated found anything
  found,
};
// Returns the verdict's name, as reports print it.
[[nodiscard]] std::string_view name(overall_verdict v);

// Where the time of one device went: the partition of its window.
struct device_verdict {
  std::uint32_t trace = 0;
  int rank = -1;  // -1: not recorded
  device_partition partition{};
  std::size_t steps = 0;  // in the window; 0: not known
  std::string text{};     // "compute 92.1 %, idle 7.9 % of 1.26 ms"
};

// A rule that could not be evaluated, because the traces lack what it needs.
struct abstention {
  std::string rule{};
  std::string missing{};
  std::string get{};  // the command that records it
};

// How far one trace can be trusted.
struct trace_trust {
  std::uint32_t trace = 0;
  double factor = 1;
  std::vector<doubt> doubts{};
};

struct diagnosis {
  overall_verdict verdict = overall_verdict::insufficient;
  std::string why{};  // one sentence that gives the reason for the verdict
  std::vector<device_verdict> devices{};
  std::vector<finding> doubts{};    // findings of level trust, to be read first
  std::vector<finding> findings{};  // most seconds saved first, then most confident
  std::vector<abstention> abstentions{};
  std::vector<trace_trust> trust{};
};

// Diagnoses one trace, or the traces of all ranks of one job.
[[nodiscard]] diagnosis diagnose(std::span<const trace> traces, const diagnose_options& options = {});

// Diagnoses evidence that has been gathered already.
[[nodiscard]] diagnosis diagnose(const evidence& e, const diagnose_options& options);

}  // namespace ridge::trace
