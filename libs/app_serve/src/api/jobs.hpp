// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/api.hpp"
#include "jobs/job_queue.hpp"

namespace ridge::app_serve {

// Returns the routes by which runs are started and stopped. `suites` are the chapters and experiments of this
// program: nothing else can be
// asked for.
[[nodiscard]] std::vector<server::route> job_routes(job_queue& queue, std::vector<std::string> suites);

// Reads the body of such a request, {"suite": "ch01", "parameters": {"backend": "cpu"}}, into the words of a
// command line; sets `suite`. An error for a suite that is not declared, and for other members and
// parameters.
[[nodiscard]] result<std::vector<std::string>> words_of_job(std::string_view body,
                                                            const std::vector<std::string>& suites,
                                                            std::string& suite);

}  // namespace ridge::app_serve
