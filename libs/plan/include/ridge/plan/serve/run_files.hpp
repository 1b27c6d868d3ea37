// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include <ridge/plan/serve/cluster.hpp>

namespace ridge::plan::serve {

// Takes a text piece by piece.
using text_sink = std::function<void(std::string_view)>;

// A line a request: what was asked, when it was scheduled, gave its first and last token, and what delayed
// it.
void write_requests_csv(const cluster_run& run, const workload& asked, const text_sink& to);

// The run in Chrome's trace format, as `ridge trace` and Perfetto open it: a process a replica, its steps as
// device work ("prefill", "decode"; decode steps in a row merged), requests as asynchronous spans, and
// waiting, running and the share of blocks in use as counters. Needs cluster_settings::record_steps.
void write_chrome_trace(const cluster_run& run, const text_sink& to);

}  // namespace ridge::plan::serve
