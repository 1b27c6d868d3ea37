// SPDX-License-Identifier: Apache-2.0
// Any bytes where "NAME=2^20..26:2" is expected: refused with a reason, or a named axis with values.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <ridge/harness/runner.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = ridge::harness::parse_axis_override(text);
  if (read ? read->axis.empty() || read->values.empty() : read.why().message.empty()) std::abort();
  return 0;
}
