// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/server/schema.hpp>

namespace ridge::app_serve {

// Return the shapes of what ridge::changes writes of a series: a level that held, a change from one to the
// next, and what may become a change (null where nothing may).
[[nodiscard]] server::schema segment_shape();
[[nodiscard]] server::schema change_shape();
[[nodiscard]] server::schema watching_shape();

}  // namespace ridge::app_serve
