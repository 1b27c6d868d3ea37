// SPDX-License-Identifier: Apache-2.0
// Any bytes as a database of rocprofv3: a trace that holds together, or an error with a reason.
#include <cstdint>

#include "whole_trace.hpp"

namespace ridge::backends::trace_rocpd {
const trace::importer& rocpd();
}  // namespace ridge::backends::trace_rocpd

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::fuzz::check_importer(ridge::backends::trace_rocpd::rocpd(), data, size);
  return 0;
}
