// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include <ridge/plan/serve/simulated_cluster.hpp>

namespace ridge::plan::serve {

// Receives a text piece by piece.
using text_sink = std::function<void(std::string_view)>;

// Writes one CSV line per request: its lengths, the times at which it arrived, was scheduled and gave its
// first and last token, and what delayed it.
void write_requests_csv(const cluster_run& run, const workload& asked, const text_sink& output);

// Writes the run in Chrome's trace format, which `ridge trace` and Perfetto read: one process per replica,
// its steps as device work ("prefill", "decode"; decode steps in a row merged), requests as asynchronous
// spans, and waiting, running and the share of blocks in use as counters. Steps need
// cluster_settings::record_steps.
void write_chrome_trace(const cluster_run& run, const text_sink& output);

}  // namespace ridge::plan::serve
