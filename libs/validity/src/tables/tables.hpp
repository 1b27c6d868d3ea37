// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/validity/issue.hpp>

// The issues of each category, in the order of the page.
namespace ridge::validity::tables {

[[nodiscard]] std::span<const issue> timing();
[[nodiscard]] std::span<const issue> output();
[[nodiscard]] std::span<const issue> workload();
[[nodiscard]] std::span<const issue> memory_and_cache();
[[nodiscard]] std::span<const issue> process();
[[nodiscard]] std::span<const issue> device();
[[nodiscard]] std::span<const issue> compilation();
[[nodiscard]] std::span<const issue> distributed();
[[nodiscard]] std::span<const issue> environment();
[[nodiscard]] std::span<const issue> statistics();
[[nodiscard]] std::span<const issue> evaluation();

}  // namespace ridge::validity::tables
