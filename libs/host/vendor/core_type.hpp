// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/host/isa.hpp>

namespace ridge::vendor {

// Returns the value of OPENBLAS_CORETYPE for the widest kernels that this CPU can run; an empty text leaves
// the choice to OpenBLAS. Its own detection uses model numbers and falls back to Haswell where a hypervisor
// shows an unknown one.
[[nodiscard]] std::string openblas_core_type(const host::isa_set& names, std::string_view cpu_vendor);

}  // namespace ridge::vendor
