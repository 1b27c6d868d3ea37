// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>
#include <ridge/tui/page.hpp>

#include "live/pulse.hpp"

namespace ridge::tui {

// Returns "▕████    ▏ 42 %" for a share from 0 to 1; "unknown" where there is none.
[[nodiscard]] std::string gauge(std::optional<double> share, std::size_t columns);

// Returns a line on processors and memory and a line per GPU, or why there is none, for the room that is
// there.
[[nodiscard]] std::string pulse_lines(const pulse_report& seen, const tui::room& space);

// Returns the last minute as a chart: the busy shares of processors, stolen time and GPUs in percent.
[[nodiscard]] report::chart pulse_chart(const pulse_report& seen);

// Returns the GPUs as they are now, a row each; empty of rows it says why.
[[nodiscard]] report::sheet gpu_sheet(const pulse_report& seen);

}  // namespace ridge::tui
