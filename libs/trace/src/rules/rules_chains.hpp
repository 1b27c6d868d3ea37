// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rules/rules.hpp"

namespace ridge::trace {

[[nodiscard]] outcome k18_fusable(const evidence& e, const rule& r);
[[nodiscard]] outcome k20_attention(const evidence& e, const rule& r);

}  // namespace ridge::trace
