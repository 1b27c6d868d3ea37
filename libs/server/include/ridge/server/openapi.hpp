// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <ridge/server/service.hpp>

namespace ridge::server {

// Returns the OpenAPI 3.1 document of these routes: their parameters, bodies and answers as they declare
// them, and for each the errors that the server itself can answer (application/problem+json).
[[nodiscard]] std::string openapi_document(std::string_view title, std::string_view version,
                                           std::span<const route> routes);

}  // namespace ridge::server
