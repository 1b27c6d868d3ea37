// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "audit/observation.hpp"

// The checks by subject; each subject has a file of its own.
namespace ridge::probe {

[[nodiscard]] std::span<const check> machine_checks();
[[nodiscard]] std::span<const check> clock_checks();
[[nodiscard]] std::span<const check> cpu_checks();
[[nodiscard]] std::span<const check> memory_checks();
[[nodiscard]] std::span<const check> numa_checks();
[[nodiscard]] std::span<const check> limit_checks();
[[nodiscard]] std::span<const check> storage_checks();
[[nodiscard]] std::span<const check> counter_checks();
[[nodiscard]] std::span<const check> contention_checks();
[[nodiscard]] std::span<const check> variable_checks();
[[nodiscard]] std::span<const check> build_checks();
[[nodiscard]] std::span<const check> gpu_driver_checks();
[[nodiscard]] std::span<const check> gpu_clock_checks();
[[nodiscard]] std::span<const check> gpu_sharing_checks();
[[nodiscard]] std::span<const check> gpu_health_checks();
[[nodiscard]] std::span<const check> pcie_checks();

}  // namespace ridge::probe
