// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/gpu/clock_events.hpp>
#include <ridge/gpu/nvml.hpp>

namespace ridge::gpu {

// Memory errors since the driver was loaded.
struct ecc_errors {
  std::uint64_t corrected = 0, uncorrected = 0;
};

// Processes that compute on a GPU, as the driver lists them.
struct compute_processes {
  std::size_t others = 0;  // entries with a process number other than ours
  // Whether our process number is listed. If not, one of the others may be this process: a container numbers
  // its processes differently from the driver.
  bool ours_listed = false;
};

// The PCIe link as it runs now and the fastest that this GPU reaches in this slot. An idle GPU may run its
// link below the maximum.
struct pcie_link {
  unsigned generation = 0, width = 0;
  unsigned max_generation = 0, max_width = 0;
};

// The kind of device at the other end of an NVLink.
enum class link_end : std::uint8_t { unknown, gpu, nvswitch };

// One NVLink that is up. Values that the driver does not report are 0 or empty.
struct nvlink {
  unsigned index = 0;
  unsigned version = 0;
  double bytes_per_s = 0;  // per direction, protocol overhead included
  link_end end = link_end::unknown;
  std::string far_bus_id{};  // PCI address of the device at the other end, "0000:1b:00.0"
};

// One GPU as the driver's management library (NVML) reports it; nothing is ever set. Every answer is a value
// or the reason why there is none (not supported, no permission, no driver); a refusal by the driver never
// throws. A call takes microseconds to milliseconds of host time, so it belongs between measurements. May be
// called from any thread.
class nvml_device {
 public:
  // The GPU at the PCI address `bus_id` ("0000:1b:00.0"). `functions` outlives the result.
  [[nodiscard]] static result<nvml_device> find(const nvml_functions& functions, std::string bus_id);
  // The GPU that is current in this thread's CUDA runtime; with MIG, the whole GPU.
  [[nodiscard]] static result<nvml_device> current();

  // The PCI address that the GPU was found by.
  [[nodiscard]] const std::string& bus_id() const { return bus_id_; }
  // The NVML handle, for functions of nvml.hpp that this class does not wrap.
  [[nodiscard]] nvml_handle handle() const { return handle_; }
  // Present clocks, the highest SM clock and the temperature of the GPU in degrees Celsius.
  [[nodiscard]] result<unsigned> sm_clock_mhz() const;
  [[nodiscard]] result<unsigned> memory_clock_mhz() const;
  [[nodiscard]] result<unsigned> max_sm_clock_mhz() const;
  [[nodiscard]] result<unsigned> temperature_c() const;
  // Power of the whole board in watts: the present value where the driver offers it, else average_power_w().
  // Readings are not continuous: on A100 and H100 they cover a quarter of the time (arXiv:2312.02741).
  [[nodiscard]] result<double> power_w() const;
  // Power of the board averaged over the last second on Ampere and later GPUs; on the A100 the present power.
  [[nodiscard]] result<double> average_power_w() const;
  // The power limit that is enforced.
  [[nodiscard]] result<double> power_limit_w() const;
  // The reasons that hold the SM clock down at this moment.
  [[nodiscard]] result<gpu::clock_events> clock_events() const;
  // Energy in millijoules that the board used since the driver was loaded.
  [[nodiscard]] result<std::uint64_t> energy_mj() const;
  // Whether persistence mode and MIG mode are on, the memory errors, and the processes that compute on the
  // GPU.
  [[nodiscard]] result<bool> persistence_mode() const;
  [[nodiscard]] result<bool> mig_mode() const;
  [[nodiscard]] result<gpu::ecc_errors> ecc_errors() const;
  [[nodiscard]] result<gpu::compute_processes> compute_processes() const;

  // The PCIe link, and the version of the video BIOS ("96.00.89.00.01").
  [[nodiscard]] result<gpu::pcie_link> pcie_link() const;
  [[nodiscard]] result<std::string> video_bios() const;
  // The NVLinks that are up, by ascending index; empty on a GPU without NVLink.
  [[nodiscard]] result<std::vector<gpu::nvlink>> nvlinks() const;

 private:
  nvml_device(const nvml_functions& functions, nvml_handle handle, std::string bus_id);
  template <class T, class F, class... Before>
  result<T> ask(F* function, const char* name, Before... before) const;
  result<double> ask_watts(nvml_functions::ask_number* function, const char* name) const;
  result<double> instant_power_w() const;
  [[nodiscard]] gpu::nvlink nvlink_at(unsigned index) const;

  const nvml_functions* functions_;
  nvml_handle handle_;
  std::string bus_id_;
};

}  // namespace ridge::gpu
