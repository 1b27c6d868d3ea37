// SPDX-License-Identifier: Apache-2.0
#include "session/progress_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/app/progress_line.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app {

std::string progress_text(const harness::progress& state, double share, std::optional<double> left_s,
                          std::size_t columns) {
  auto text = fmt::format("{} {}/{}", bar(share), state.done + 1, state.total);
  if (left_s) text += fmt::format(" · {} left", duration_text(*left_s));
  const auto add = [&](const std::string& more) {
    const bool fits = display_width(text) + display_width(more) <= columns;
    if (fits) text += more;
    return fits;
  };
  std::string name(state.experiment);
  if (!add(fmt::format(" · {}", name))) {
    // Names of experiments are ASCII: a letter is a column.
    const auto room = columns - std::min(columns, display_width(text) + 4);
    if (room > 6) text += fmt::format(" · {}…", name.substr(0, room));
    return text;
  }
  if (!state.problem.empty() && !add(fmt::format(" {}", state.problem))) return text;
  add(fmt::format(" · {}", state.stage));
  return text;
}

}  // namespace ridge::app
