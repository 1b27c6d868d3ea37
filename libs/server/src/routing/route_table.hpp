// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/service.hpp>

namespace ridge::server {

// Finds the route of a path. A literal segment wins over a variable.
class route_table final {
 public:
  // Returns the table, or an error for a pattern that does not begin with a slash or has an empty segment,
  // two routes of one method and pattern, and a route without exactly one way to answer.
  [[nodiscard]] static result<route_table> of_routes(std::vector<route> routes);

  // Returns the route of a method and path with the variables of its pattern; null where there is none.
  // `other_methods` receives the methods by which the path can be had: "GET, HEAD".
  [[nodiscard]] const route* find(http_method method, std::string_view path,
                                  std::vector<named_text>& variables, std::string& other_methods) const;

  // Returns all routes in the order given.
  [[nodiscard]] const std::vector<route>& routes() const { return routes_; }

 private:
  std::vector<route> routes_{};
  std::vector<std::vector<std::string>> segments_{};  // of each pattern
};

// Returns the answer to parameters that the route does not have, that are given twice, missing or not of
// their type (400); nothing when all are right.
[[nodiscard]] std::optional<response> parameter_refusal(const route& found, const request& asked);

}  // namespace ridge::server
