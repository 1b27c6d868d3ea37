// SPDX-License-Identifier: Apache-2.0
// Any bytes: they are refused with a reason, or read as a run whose own text reads back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <ridge/model/json.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = ridge::model::run_from_json(text);
  if (!read) {
    if (read.why().message.empty()) std::abort();
    return 0;
  }
  const auto written = ridge::model::to_json(*read);
  const auto again = ridge::model::run_from_json(written);
  if (!again || ridge::model::to_json(*again) != written) std::abort();
  return 0;
}
