// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rules/rules.hpp"

// Rules about many products where one would do.
namespace ridge::trace {

[[nodiscard]] outcome k23_narrow_products(const evidence& e, const rule& r);
[[nodiscard]] outcome k26_routed(const evidence& e, const rule& r);

}  // namespace ridge::trace
