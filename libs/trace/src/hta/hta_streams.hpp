// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hta/hta_rows.hpp"

// The figures that HTA computes per stream: idle times, launches, queue lengths and copy rates.
namespace ridge::trace {

[[nodiscard]] std::vector<hta_idle_time> hta_idle(const trace& t, const hta_rows& rows,
                                                  const hta_options& options);
[[nodiscard]] std::vector<hta_launch> hta_launches(const trace& t, const hta_rows& rows);
[[nodiscard]] std::vector<hta_queue_length> hta_queues(const trace& t, const hta_rows& rows);
[[nodiscard]] std::vector<hta_copy_bandwidth> hta_copies(const trace& t, const hta_rows& rows);

}  // namespace ridge::trace
