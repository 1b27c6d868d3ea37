// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/roofline_place.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// A device as the caller knows it, and how a trace is recognised as having run on it.
struct known_device {
  device_peaks peaks{};
  std::vector<std::string> reported{};  // names that traces give the device: "NVIDIA H100 80GB HBM3"; "": any
  std::string architecture{};           // "sm_90", "gfx942": as kernels' names show it
  double link_bytes_per_s = 0;          // between host and device, one way; 0: not known
  double bus_bytes_per_s = 0;           // bus bandwidth of collectives between devices; 0: not known
  double memory_bytes = 0;              // 0: not known
};

// Returns the device that the trace's facts describe; null where none does. Makers' names, letter case and
// separators do not count ("Instinct MI300X VF" is an MI300X). A device whose name is told in full precedes
// one that shares the model's number alone ("A100-PG509-200" is an A100: memory and multiprocessors choose
// which). One whose multiprocessors or memory differ from the facts is never returned, so that a partition
// of a device gets no peaks of the whole.
[[nodiscard]] const known_device* recognised(std::span<const known_device> all, const device_facts& facts);

}  // namespace ridge::trace
