// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rules/rules.hpp"

namespace ridge::trace {

[[nodiscard]] outcome n3_waiting(const evidence& e, const rule& r);
[[nodiscard]] outcome n4_slow_bus(const evidence& e, const rule& r);

}  // namespace ridge::trace
