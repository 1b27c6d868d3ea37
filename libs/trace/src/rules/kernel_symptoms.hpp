// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/kernel_verdict.hpp>

namespace ridge::trace {

// Returns what the counters show besides the limit; the limit decides which of the symptoms matter.
[[nodiscard]] std::vector<symptom> symptoms_of(const kernel_counters& c, const kernel_verdict& verdict,
                                               const verdict_context& context);

}  // namespace ridge::trace
