// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/vision.hpp>

#include "config_members.hpp"

namespace ridge::plan {

// The tower of a configuration whose language model is `width` wide; not known() where there is none, or none
// that is understood, which the findings then say.
[[nodiscard]] vision_shape read_vision(const config_members& whole, std::int64_t width);

}  // namespace ridge::plan
