// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/error.hpp>

#include <cstring>
#include <string>

#include <fmt/format.h>

namespace ridge {
namespace {
std::string_view file_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}
}  // namespace

std::string error::text() const { return remedy.empty() ? message : fmt::format("{}; {}", message, remedy); }

void expects(bool holds, std::string_view contract, caller place) {
  if (!holds)
    throw precondition_violated(fmt::format("{} [{}:{}]", contract, file_name(place.file), place.line));
}

failure::failure(error why, caller place)
    : std::runtime_error(why.text()), why_(std::move(why)), place_(place) {}

io_failure::io_failure(std::string_view action, std::string_view path, int code, std::string_view remedy,
                       caller place)
    : failure({fmt::format("cannot {} {}: {}", action, path, std::strerror(code)), std::string(remedy)},
              place),
      code_(code) {}

unavailable::unavailable(std::string_view thing, std::string_view remedy, caller place)
    : failure({std::string(thing), std::string(remedy)}, place) {}

}  // namespace ridge
