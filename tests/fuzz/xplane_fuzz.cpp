// SPDX-License-Identifier: Apache-2.0
// Any bytes as an XSpace of XLA: a trace that holds together, or an error with a reason.
#include <cstdint>

#include "whole_trace.hpp"

namespace ridge::backends::trace_xplane {
const trace::importer& xplane();
}  // namespace ridge::backends::trace_xplane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::fuzz::check_importer(ridge::backends::trace_xplane::xplane(), data, size);
  return 0;
}
