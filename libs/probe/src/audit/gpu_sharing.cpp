// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "audit/checks.hpp"
#include "audit/per_gpu.hpp"

namespace ridge::probe {
namespace {

using found = std::optional<gpu_seen>;
using model::severity;

observed gpu_processes(const system_view& system) {
  constexpr auto why =
      "Another process on the GPU runs in turns with this one and uses its memory and caches.";
  const advice fix{"nvidia-smi lists them; wait, or take another GPU (CUDA_VISIBLE_DEVICES)",
                   "--gpus device=N with a GPU of its own",
                   "nvidia.com/gpu without time-slicing in the device plugin's configuration"};
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.other_processes && !gpu.busy_percent) return std::nullopt;
    auto seen = gpu.other_processes ? fmt::format("{} other processes", *gpu.other_processes)
                                    : std::string("processes not listed");
    if (gpu.busy_percent) seen += fmt::format(", {} % busy before the audit", *gpu.busy_percent);
    constexpr int little = 5;
    const bool shared = gpu.other_processes.value_or(0) > 0 || gpu.busy_percent.value_or(0) > little;
    return gpu_seen{shared ? severity::warning : severity::ok, std::move(seen)};
  });
}

observed mode(const system_view& system) {
  constexpr auto why =
      "In an exclusive mode a second process finds no GPU; in mode prohibited no process does.";
  return over_gpus(system, why, host_setting("sudo nvidia-smi -c DEFAULT"),
                   [](const gpu_condition& gpu) -> found {
                     if (!gpu.compute_mode) return std::nullopt;
                     switch (*gpu.compute_mode) {
                       case compute_mode::shared:
                         return gpu_seen{severity::ok, "default"};
                       case compute_mode::exclusive_process:
                         return gpu_seen{severity::warning, "exclusive process"};
                       case compute_mode::prohibited:
                         break;
                     }
                     return gpu_seen{severity::error, "prohibited"};
                   });
}

observed instances(const system_view& system) {
  constexpr auto why =
      "With MIG this process sees one instance: ceilings are those of its share of cores, cache and "
      "bandwidth.";
  const advice fix{"for the whole GPU: sudo nvidia-smi -mig 0", "--gpus device=N of a GPU without MIG",
                   "nvidia.com/gpu in place of nvidia.com/mig-..."};
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.mig) return std::nullopt;
    return gpu_seen{*gpu.mig ? severity::warning : severity::ok, *gpu.mig ? "on" : "off"};
  });
}

observed virtualization(const system_view& system) {
  constexpr auto why = "A virtual GPU is a share in time or in cores; one that is passed through is whole.";
  return over_gpus(system, why, anywhere("a GPU that is passed through, for its ceilings"),
                   [](const gpu_condition& gpu) -> found {
                     if (!gpu.virtualization) return std::nullopt;
                     switch (*gpu.virtualization) {
                       case gpu_virtualization::none:
                         return gpu_seen{severity::ok, "bare metal"};
                       case gpu_virtualization::passthrough:
                         return gpu_seen{severity::ok, "passed through"};
                       case gpu_virtualization::vgpu:
                         return gpu_seen{severity::warning, "a virtual GPU"};
                       case gpu_virtualization::host:
                         break;
                     }
                     return gpu_seen{severity::warning, "host of virtual GPUs"};
                   });
}

observed display(const system_view& system) {
  constexpr auto why =
      "A desktop draws on this GPU meanwhile, and kernels longer than some seconds may be stopped.";
  return over_gpus(
      system, why,
      host_setting("sudo systemctl isolate multi-user.target, or drive the display by another GPU"),
      [](const gpu_condition& gpu) -> found {
        if (!gpu.display) return std::nullopt;
        return gpu_seen{*gpu.display ? severity::warning : severity::ok, *gpu.display ? "attached" : "none"};
      });
}

observed persistence(const system_view& system) {
  constexpr auto why =
      "Without persistence the driver unloads when the last program ends: the next start takes seconds more.";
  return over_gpus(
      system, why, host_setting("sudo systemctl enable --now nvidia-persistenced (or sudo nvidia-smi -pm 1)"),
      [](const gpu_condition& gpu) -> found {
        if (!gpu.persistence) return std::nullopt;
        return gpu_seen{*gpu.persistence ? severity::ok : severity::warning, *gpu.persistence ? "on" : "off"};
      });
}

observed confidential(const system_view& system) {
  constexpr auto why =
      "Confidential computing encrypts what crosses the bus: copies are several times slower.";
  if (!system.gpus || !system.gpus->confidential) return std::nullopt;
  if (!*system.gpus->confidential) return fine("off", why);
  return warning("on", why, anywhere("a machine without confidential computing, for its ceilings"));
}

constexpr std::array all_gpu_sharing_checks{
    check{"gpu.processes", "Other processes on the GPU", gpu_processes},
    check{"gpu.compute_mode", "GPU compute mode", mode},
    check{"gpu.mig", "GPU instances", instances},
    check{"gpu.virtualization", "Virtual GPU", virtualization},
    check{"gpu.display", "Display", display},
    check{"gpu.persistence", "Persistence", persistence},
    check{"gpu.confidential", "Confidential computing", confidential}};

}  // namespace

std::span<const check> gpu_sharing_checks() { return all_gpu_sharing_checks; }

}  // namespace ridge::probe
