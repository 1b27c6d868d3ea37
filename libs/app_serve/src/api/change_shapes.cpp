// SPDX-License-Identifier: Apache-2.0
#include "api/change_shapes.hpp"

#include "api/shapes.hpp"

namespace ridge::app_serve {

server::schema segment_shape() {
  return object_of({text("first_run"), text("last_run"), whole("points"), number("median"),
                    number("lo", "at least 95 %"), number("hi")});
}

server::schema change_shape() {
  const auto fact = object_of({text("fact"), text("before"), text("after")});
  return object_of({text("run", "the first of the new level"),
                    text("started"),
                    text("run_before"),
                    number("before", "the level"),
                    number("after"),
                    text("direction", "better or worse"),
                    number("ratio", "how many times better"),
                    number("ratio_lo"),
                    number("ratio_hi"),
                    number("p"),
                    number("q"),
                    whole("points_after"),
                    text("state"),
                    text("note"),
                    text("stated"),
                    {"environment", array_of(fact)}});
}

server::schema watching_shape() {
  auto watching =
      object_of({text("first_run"), whole("runs"), number("level"), number("value"), text("direction")});
  watching.nullable = true;
  return watching;
}

}  // namespace ridge::app_serve
