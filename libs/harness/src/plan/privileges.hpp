// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/harness/needs.hpp>

namespace ridge::harness {

// Why this process lacks a privilege, with what to do about it; empty where it has it.
[[nodiscard]] std::string privilege_missing_because(privilege asked);

// Why other work may be scheduled on this process's cores, with what to do about it; empty where none may.
[[nodiscard]] std::string cores_shared_because();

}  // namespace ridge::harness
