// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/communication.hpp>

namespace ridge::trace {

[[nodiscard]] std::vector<operation_row> operations_of(std::span<const collective_instance> instances,
                                                       std::span<const instance_times> times);

[[nodiscard]] std::vector<size_class> sizes_of(std::span<const collective_instance> instances);

}  // namespace ridge::trace
