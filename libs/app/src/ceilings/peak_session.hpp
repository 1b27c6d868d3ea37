// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <ridge/model/peak_report.hpp>
#include <ridge/probe/measure_peaks.hpp>

namespace ridge::app {

struct peak_settings {
  probe::depth how{probe::depth::standard};
  probe::row_filter only{};
  bool cpu = true, gpu = true;
  std::filesystem::path scratch{};
  int threads = 0;
};

// Told of each subject and its rows as they come.
using on_probed = std::function<void(const model::probed&, std::span<const model::ceiling>)>;

// Measures the peaks of this machine: of its cores, storage and loopback, then of its GPU, whose absence is a
// subject skipped. What the vendor states is taken from the catalogue of hardware. Ends early, with what is
// finished, where the process is interrupted under an interrupt_guard.
[[nodiscard]] model::peak_report measure_peaks_here(const peak_settings& settings, const on_probed& tell);

// The probes that these settings can reach: what they would measure, and from which depth on. A GPU that is
// not there has none.
struct listed_probe {
  std::string id{}, title{};
  probe::depth from{};
};
[[nodiscard]] std::vector<listed_probe> probes_here(const peak_settings& settings);

// "standard"
[[nodiscard]] std::string_view name(probe::depth depth);

}  // namespace ridge::app
