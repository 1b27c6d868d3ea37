// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/kernel_verdict.hpp>

namespace ridge::trace {

std::string_view name(kernel_limit) { return {}; }

std::string_view name(evidence_grade) { return {}; }

std::string_view name(kernel_symptom) { return {}; }

kernel_verdict verdict_of(const kernel_counters&, const verdict_context&) { return {}; }

kernel_verdict verdict_of(const op_cost&) { return {}; }

}  // namespace ridge::trace
