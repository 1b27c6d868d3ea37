// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::measure {

// One GPU at one moment, as its driver tells it. Values that it does not tell are absent.
struct gpu_reading {
  std::string name{};                   // "NVIDIA H200"; empty: not told
  std::string address{};                // on the PCI bus, "0000:1b:00.0"
  std::optional<double> busy{};         // share of the last moment in which a kernel ran, 0 to 1
  std::optional<double> memory_busy{};  // share in which its memory was read or written, 0 to 1
  std::optional<double> memory_used_bytes{}, memory_bytes{};
  std::optional<double> sm_clock_mhz{}, most_sm_clock_mhz{}, memory_clock_mhz{};
  std::optional<double> power_w{}, power_limit_w{};
  std::optional<double> temperature_c{};
  // Over PCIe, as the GPU sees it. Reading these takes the driver 20 ms each.
  std::optional<double> received_bytes_per_s{}, sent_bytes_per_s{};
  // Over all NVLinks since the reading before, payload without the protocol.
  std::optional<double> link_received_bytes_per_s{}, link_sent_bytes_per_s{};
  // How much of the memory's peak bandwidth was used since the reading before, 0 to 1, and that in bytes,
  // reads and writes together. `memory_busy` is another quantity: a single byte a moment can keep it at 1.
  std::optional<double> memory_bandwidth_share{}, memory_bytes_per_s{};
  // What holds the clock down: "power cap". Known and empty: nothing does.
  std::optional<std::vector<std::string>> throttled_by{};
};

// Looks at all GPUs of a machine, for people who watch them. It opens no GPU and no CUDA context, so that
// looking changes nothing for the programs that run there. A reading may take tens of milliseconds.
class gpu_monitor {
 public:
  virtual ~gpu_monitor() = default;
  // Returns in words why there is none; empty where it works.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // Returns one reading per GPU, by PCI address; empty where the monitor is unavailable.
  [[nodiscard]] virtual std::vector<gpu_reading> read() = 0;
};

}  // namespace ridge::measure
