// SPDX-License-Identifier: Apache-2.0
// Any bytes as a binary trace of Perfetto: a trace that holds together, or an error with a reason.
#include <cstdint>

#include "whole_trace.hpp"

namespace ridge::backends::trace_pftrace {
const trace::importer& pftrace();
}  // namespace ridge::backends::trace_pftrace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::fuzz::check_importer(ridge::backends::trace_pftrace::pftrace(), data, size);
  return 0;
}
