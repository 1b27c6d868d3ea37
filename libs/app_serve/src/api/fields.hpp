// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/server/service.hpp>

namespace ridge::app_serve {

// Lets readers of a list choose members of its items: `?fields=id,axes.n`. Returns the route with this
// parameter where its answer is a list ({"items": [...]}), and any other as it is. A field that items do not
// have is answered 400, which names those that they have.
[[nodiscard]] server::route with_fields(server::route list);

}  // namespace ridge::app_serve
