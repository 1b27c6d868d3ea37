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

struct ecc_errors {
  std::uint64_t corrected = 0, uncorrected = 0;  // since the driver was loaded
};

struct compute_processes {
  std::size_t others = 0;  // listed with another process number than ours
  // Whether we are listed. Where not, one of the others may be us: a container numbers processes its own way.
  bool ours_listed = false;
};

// As the driver tells it; an idle GPU may run its link slower than it can.
struct pcie_link {
  unsigned generation = 0, width = 0;
  unsigned max_generation = 0, max_width = 0;  // of this GPU in this slot
};

enum class link_end : std::uint8_t { unknown, gpu, nvswitch };

// One NVLink that is up. What the driver does not tell is 0 or empty.
struct nvlink {
  unsigned index = 0;
  unsigned version = 0;
  double bytes_per_s = 0;  // in one direction, protocol included
  link_end end = link_end::unknown;
  std::string far_bus_id{};  // of what it leads to, "0000:1b:00.0"
};

// One GPU as the driver's management library sees it. Only asks. Every answer is a value or the reason why
// there is none (not supported, no permission, no driver); nothing throws for what the driver refuses. A call
// takes from microseconds to milliseconds of the host: between measurements, not within. From any thread.
class nvml_device {
 public:
  // The GPU at a PCI address ("0000:1b:00.0"). `functions` outlives it.
  [[nodiscard]] static result<nvml_device> find(const nvml_functions& functions, std::string bus_id);
  // The GPU that is current in the CUDA runtime of this thread; with MIG, the whole GPU.
  [[nodiscard]] static result<nvml_device> current();

  [[nodiscard]] const std::string& bus_id() const { return bus_id_; }
  // For questions that stand in nvml.hpp and not here.
  [[nodiscard]] nvml_handle handle() const { return handle_; }
  [[nodiscard]] result<unsigned> sm_clock_mhz() const;
  [[nodiscard]] result<unsigned> memory_clock_mhz() const;
  [[nodiscard]] result<unsigned> max_sm_clock_mhz() const;
  [[nodiscard]] result<unsigned> temperature_c() const;
  // Of the whole board. At this moment where the driver offers that, else as average_power_w. Readings are
  // not continuous: on A100 and H100 they see a quarter of the time (arXiv:2312.02741).
  [[nodiscard]] result<double> power_w() const;
  // Over the last second on Ampere and later (A100: at this moment).
  [[nodiscard]] result<double> average_power_w() const;
  [[nodiscard]] result<double> power_limit_w() const;  // the one enforced
  [[nodiscard]] result<gpu::clock_events> clock_events() const;
  [[nodiscard]] result<std::uint64_t> energy_mj() const;  // since the driver was loaded
  [[nodiscard]] result<bool> persistence_mode() const;
  [[nodiscard]] result<bool> mig_mode() const;
  [[nodiscard]] result<gpu::ecc_errors> ecc_errors() const;
  [[nodiscard]] result<gpu::compute_processes> compute_processes() const;

  [[nodiscard]] result<gpu::pcie_link> pcie_link() const;
  [[nodiscard]] result<std::string> video_bios() const;
  // The links that are up, ascending; none on a GPU without NVLink.
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
