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

// What `ridge peak` is asked to measure.
struct peak_settings {
  probe::depth depth{probe::depth::standard};
  probe::row_filter only{};
  bool cpu = true, gpu = true;
  std::filesystem::path scratch{};
  int threads = 0;
};

// Called with each subject and its rows as soon as they are measured.
using on_probed = std::function<void(const model::probed&, std::span<const model::ceiling>)>;

// Measures the peaks of this machine: of its cores, storage and loopback, then of its GPU; a missing GPU is a
// skipped subject. Values that the vendor states come from the catalogue of hardware. It ends early, with
// what is finished, where the process is interrupted under an interrupt_guard.
[[nodiscard]] model::peak_report measure_peaks_here(const peak_settings& settings, const on_probed& tell);

// A probe that these settings can reach: what it would measure, and the depth from which on it measures.
struct listed_probe {
  std::string id{}, title{};
  probe::depth least_depth{};
};
// Returns the probes that these settings can reach; a machine without a GPU has none for it.
[[nodiscard]] std::vector<listed_probe> probes_here(const peak_settings& settings);

// Returns the word of a depth: "standard".
[[nodiscard]] std::string_view name(probe::depth depth);

}  // namespace ridge::app
