// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/gpu_driver.hpp>
#include <ridge/host/gpu_models.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

std::string version_words(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

observed present(const system_view& system) {
  constexpr auto why = "GPU rows need a GPU, its driver, and permission to use both.";
  const auto models = host::gpu_models(system.root);
  const auto driver = host::gpu_driver(system.root);
  if (models.empty()) {
    return note(driver.empty() ? "no NVIDIA driver shows a GPU here" : "driver " + driver + " shows no GPU",
                why,
                {"", "--gpus all, with the NVIDIA Container Toolkit on the host",
                 "resources.limits: {nvidia.com/gpu: 1}"});
  }
  if (system.gpus && !system.gpus->unreadable.empty())
    return invalid(
        fmt::format("{}; it cannot be used: {}", join(models, ", "), system.gpus->unreadable), why,
        {"nvidia-smi, and dmesg | grep -i nvrm", "--gpus all, with the NVIDIA Container Toolkit on the host",
         "resources.limits: {nvidia.com/gpu: 1}"});
  return fine(fmt::format("{}, driver {}", join(models, ", "), driver), why);
}

observed cuda_version(const system_view& system) {
  constexpr auto why =
      "A driver older than the runtime lacks its functions; within a major version most still work.";
  if (!system.gpus || system.gpus->driver_cuda == 0 || system.gpus->runtime_cuda == 0) return std::nullopt;
  const int driver = system.gpus->driver_cuda, runtime = system.gpus->runtime_cuda;
  auto seen = fmt::format("driver for CUDA {}, runtime {}", version_words(driver), version_words(runtime));
  if (driver >= runtime) return fine(std::move(seen), why);
  const advice fix{"install a newer driver", "a newer driver on the host",
                   "nodes with a newer driver (GPU Operator: driver.version)"};
  return driver / 1000 == runtime / 1000 ? note(std::move(seen), why, fix)
                                         : invalid(std::move(seen), why, fix);
}

observed kernel_module(const system_view& system) {
  constexpr auto why =
      "Open and closed kernel modules differ in what they support (HMM and Blackwell need the open one).";
  const auto text = system.text("proc/driver/nvidia/version");
  if (!text) return std::nullopt;
  return fine(text->find("Open Kernel Module") != std::string::npos ? "open" : "closed", why);
}

// Checks whether the path of the loader finds the libcuda of the toolkit in place of that of the driver.
observed compatibility_library(const system_view& system) {
  constexpr auto why =
      "A forward-compatible libcuda runs on an older kernel module: some functions are missing or slower.";
  const auto path = system.variable("LD_LIBRARY_PATH").value_or("");
  for (const auto folder : split(path, ':')) {
    if (folder.find("/compat") == std::string_view::npos) continue;
    const auto names = system.names_in(folder.substr(std::min<std::size_t>(1, folder.size())));
    if (std::ranges::any_of(names, [](const auto& name) { return name.starts_with("libcuda.so"); }))
      return warning(std::string(folder), why,
                     {"take it out of LD_LIBRARY_PATH once the driver is as new as the toolkit",
                      "a newer driver on the host, or NVIDIA_DISABLE_REQUIRE with an older image",
                      "nodes with a newer driver"});
  }
  if (host::gpu_driver(system.root).empty()) return std::nullopt;
  return fine("the driver's own libcuda", why);
}

observed peers(const system_view& system) {
  constexpr auto why =
      "Without peer access copies between GPUs pass through host memory, at a fraction of the link's rate.";
  if (!system.gpus || system.gpus->peers.empty()) return std::nullopt;
  std::vector<std::string> closed;
  for (const auto& pair : system.gpus->peers) {
    if (!pair.access) closed.push_back(fmt::format("{} to {}", pair.reader, pair.owner));
  }
  if (closed.empty()) return fine(fmt::format("all {} pairs", system.gpus->peers.size()), why);
  const bool linked = std::ranges::any_of(
      system.gpus->gpus, [](const auto& gpu) { return gpu.nvlinks && gpu.nvlinks->active > 0; });
  auto seen = "none from GPU " + join(closed, ", ");
  const advice fix{"nvidia-smi topo -p2p r says why; on PCIe switches ACS must be off, and iommu=pt helps",
                   "all GPUs of one group in one container (--gpus all), with --ipc=host",
                   "all GPUs of the node in one pod"};
  return linked ? warning(std::move(seen), why, fix) : note(std::move(seen), why, fix);
}

constexpr std::array all_gpu_driver_checks{
    check{"gpu.present", "GPU", present},
    check{"gpu.cuda_version", "CUDA of driver and runtime", cuda_version},
    check{"gpu.kernel_module", "GPU kernel module", kernel_module},
    check{"gpu.compatibility", "Compatibility library", compatibility_library},
    check{"gpu.peers", "Peer access", peers}};

}  // namespace

std::span<const check> gpu_driver_checks() { return all_gpu_driver_checks; }

}  // namespace ridge::probe
