// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ridge::host {

// What getters tell about this process and its calling thread: a phrase that names each setting, and its
// value. Settings that the system does not have are left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> read_process_settings();

// Bytes of address space less what malloc, the stack and the code of libraries take; 0 where malloc does not
// tell.
[[nodiscard]] std::size_t mapped_beside_the_heap();

// Bytes that malloc has taken for its heaps, those of threads among them, less what it maps for single
// requests; 0 where it does not tell.
[[nodiscard]] std::size_t bytes_of_heaps();

}  // namespace ridge::host
