// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/kernel_table.hpp>

namespace ridge::trace {

std::vector<kernel_row> kernel_table(const trace&, std::span<const work_class>, const kernel_table_options&) {
  return {};
}

}  // namespace ridge::trace
