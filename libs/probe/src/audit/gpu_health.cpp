// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <ridge/base/units.hpp>

#include "audit/checks.hpp"
#include "audit/per_gpu.hpp"

namespace ridge::probe {
namespace {

using found = std::optional<gpu_seen>;
using model::severity;

observed ecc(const system_view& system) {
  constexpr auto why =
      "Without ECC a flipped bit goes unseen; a change waits for a reset, and shifts memory and rate.";
  return over_gpus(
      system, why, host_setting("sudo nvidia-smi -e 1, then a reset of the GPU"),
      [](const gpu_condition& gpu) -> found {
        if (!gpu.ecc) return std::nullopt;
        auto seen = std::string(*gpu.ecc ? "on" : "off");
        const bool changes = gpu.ecc_after_reboot && *gpu.ecc_after_reboot != *gpu.ecc;
        if (changes) seen += *gpu.ecc_after_reboot ? ", on after a reset" : ", off after a reset";
        return gpu_seen{changes || !*gpu.ecc ? severity::warning : severity::ok, std::move(seen)};
      });
}

observed ecc_errors(const system_view& system) {
  constexpr auto why =
      "An uncorrected error ends kernels or falsifies results; corrected errors announce it.";
  const auto fix =
      host_setting("nvidia-smi -q -d ECC; reset the GPU, and have it replaced when errors come again");
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.ecc_corrected && !gpu.ecc_uncorrected) return std::nullopt;
    const auto corrected = gpu.ecc_corrected.value_or(0), lost = gpu.ecc_uncorrected.value_or(0);
    auto seen = fmt::format("{} corrected, {} not, since the driver started", corrected, lost);
    return gpu_seen{lost > 0        ? severity::error
                    : corrected > 0 ? severity::info
                                    : severity::ok,
                    std::move(seen)};
  });
}

observed remapped_rows(const system_view& system) {
  constexpr auto why =
      "A bad row is replaced at the next reset; until then it is in use. A failed remapping wants another "
      "GPU.";
  return over_gpus(
      system, why,
      host_setting("reset the GPU: sudo nvidia-smi -r, with nobody on it; replace it when that fails"),
      [](const gpu_condition& gpu) -> found {
        if (!gpu.rows) return std::nullopt;
        const auto& rows = *gpu.rows;
        auto seen =
            fmt::format("{} remapped{}{}", rows.corrected + rows.uncorrected,
                        rows.pending ? ", more at the next reset" : "", rows.failed ? ", and it failed" : "");
        return gpu_seen{rows.failed    ? severity::error
                        : rows.pending ? severity::warning
                                       : severity::ok,
                        std::move(seen)};
      });
}

observed retired_pages(const system_view& system) {
  constexpr auto why = "A bad page is left out from the next reset on; until then it is in use.";
  return over_gpus(
      system, why, host_setting("reset the GPU: sudo nvidia-smi -r, with nobody on it"),
      [](const gpu_condition& gpu) -> found {
        // GPUs that remap rows retire no pages, so they do not answer this question.
        if (!gpu.retired_pages && !gpu.retirement_pending)
          return gpu.rows ? found(gpu_seen{severity::ok, "rows are remapped instead"}) : std::nullopt;
        const bool pending = gpu.retirement_pending.value_or(false);
        return gpu_seen{pending ? severity::warning : severity::ok,
                        fmt::format("{} retired{}", gpu.retired_pages.value_or(0),
                                    pending ? ", more at the next reset" : "")};
      });
}

observed nvlinks(const system_view& system) {
  constexpr auto why =
      "Each link that is down takes its share of the bandwidth between GPUs; errors repeat packets.";
  const auto fix = host_setting(
      "nvidia-smi nvlink -s and -e; sudo systemctl status nvidia-fabricmanager on NVSwitch machines");
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.nvlinks) return std::nullopt;
    const auto& links = *gpu.nvlinks;
    if (links.present == 0) return gpu_seen{severity::ok, "none"};
    auto seen = fmt::format("{} of {} links up, {} errors", links.active, links.present, links.errors);
    // When all links are down, the links of the machine are not wired, as with one GPU in a virtual machine.
    if (links.active == 0) return gpu_seen{severity::info, std::move(seen)};
    return gpu_seen{links.active < links.present || links.errors > 0 ? severity::warning : severity::ok,
                    std::move(seen)};
  });
}

observed window(const system_view& system) {
  constexpr auto why = "A window smaller than the memory limits what adapters and peers can reach at once.";
  const advice fix{"Resizable BAR and Above 4G Decoding in the BIOS", "the host's BIOS", "the node's BIOS"};
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.window_bytes || !gpu.memory_bytes) return std::nullopt;
    const auto words = [](std::uint64_t n) { return format_quantity(static_cast<double>(n), "B"); };
    auto seen = fmt::format("{} for {} of memory", words(*gpu.window_bytes), words(*gpu.memory_bytes));
    return gpu_seen{*gpu.window_bytes < *gpu.memory_bytes ? severity::info : severity::ok, std::move(seen)};
  });
}

constexpr std::array all_gpu_health_checks{check{"gpu.ecc", "GPU ECC", ecc},
                                           check{"gpu.ecc_errors", "GPU memory errors", ecc_errors},
                                           check{"gpu.rows", "GPU remapped rows", remapped_rows},
                                           check{"gpu.pages", "GPU retired pages", retired_pages},
                                           check{"gpu.nvlink", "NVLink", nvlinks},
                                           check{"gpu.window", "GPU memory on the bus", window}};

}  // namespace

std::span<const check> gpu_health_checks() { return all_gpu_health_checks; }

}  // namespace ridge::probe
