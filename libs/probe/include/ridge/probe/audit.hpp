// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/audit.hpp>
#include <ridge/probe/system_view.hpp>

namespace ridge::probe {

// Checks what affects measurements, by subject; a check that has no meaning on such a machine is left out. It
// only reads files and what the view holds, and takes under 20 ms without GPUs.
[[nodiscard]] model::audit audit(const system_view& system);

}  // namespace ridge::probe
