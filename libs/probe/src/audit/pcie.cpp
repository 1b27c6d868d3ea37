// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/gpu_models.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"
#include "audit/per_gpu.hpp"

namespace ridge::probe {
namespace {

using model::severity;

// Returns whether a device moves data in bulk: GPUs, accelerators, network adapters and NVMe disks.
bool moves_bulk(const host::pci_device& device) {
  const auto base = device.class_code >> 16;
  return base == 0x03 || base == 0x12 || base == 0x02 || device.class_code >> 8 == 0x0108;
}

std::vector<const host::pci_device*> bulk_devices(const system_view& system) {
  std::vector<const host::pci_device*> found;
  for (const auto& device : system.devices) {
    if (moves_bulk(device)) found.push_back(&device);
  }
  return found;
}

observed gpu_link_width(const system_view& system) {
  constexpr auto why =
      "The rate between host and GPU is in proportion to generation and lanes: x8 in place of x16 halves it.";
  const advice fix{"reseat the card, look for a shared slot (lspci -vv: LnkCap, LnkSta), update the BIOS",
                   "the host's", "the node's"};
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> std::optional<gpu_seen> {
    if (!gpu.link || gpu.link->most_width == 0) return std::nullopt;
    const auto& l = *gpu.link;
    auto seen = fmt::format("generation {} of {}, x{} of x{}{}", l.generation, l.most_generation, l.width,
                            l.most_width, l.under_load ? " under load" : ", idle");
    if (!l.under_load) return gpu_seen{severity::ok, std::move(seen)};
    const auto how = l.width < l.most_width             ? severity::error
                     : l.generation < l.most_generation ? severity::warning
                                                        : severity::ok;
    return gpu_seen{how, std::move(seen)};
  });
}

observed widths(const system_view& system) {
  constexpr auto why =
      "A link with fewer lanes than device and slot support carries only that share of the rate.";
  std::vector<std::string> narrow;
  std::size_t told = 0;
  for (const auto* device : bulk_devices(system)) {
    const auto& link = device->link;
    if (link.width == 0 || link.max_width == 0) continue;
    ++told;
    if (link.width < link.max_width)
      narrow.push_back(fmt::format("{}: x{} of x{}", device->address, link.width, link.max_width));
  }
  if (told == 0)
    return bulk_devices(system).empty()
               ? std::nullopt
               : observed(unreadable("no device tells its link (a virtual machine)", why));
  if (narrow.empty()) return fine(fmt::format("{} devices at their full width", told), why);
  return warning(join(narrow, ", "), why,
                 {"reseat the card, or use a slot with all lanes (lspci -vv: LnkCap, LnkSta)", "the host's",
                  "the node's"});
}

observed path(const system_view& system) {
  constexpr auto why =
      "A bridge on the way with less bandwidth than the link of the device limits its copies.";
  std::vector<std::string> narrow;
  std::size_t told = 0;
  for (const auto* device : bulk_devices(system)) {
    const auto least = device->narrowest_at_most();
    if (!least || device->link.max_width == 0) continue;
    ++told;
    const auto own = host::pci_bytes_per_s(device->link.max_speed_gt_s, device->link.max_width);
    if (host::pci_bytes_per_s(least->link.max_speed_gt_s, least->link.max_width) >= own) continue;
    narrow.push_back(fmt::format("{} behind {}: generation {}, x{}", device->address, least->address,
                                 host::pci_generation(least->link.max_speed_gt_s), least->link.max_width));
  }
  if (told == 0) return std::nullopt;
  if (narrow.empty()) return fine("no bridge narrower than its device", why);
  return warning(join(narrow, ", "), why,
                 {"a slot that hangs on the processor's own lanes (lspci -tv)", "the host's", "the node's"});
}

// Returns a total from "RxErr 0\n...\nTOTAL_ERR_COR 3" (sysfs-bus-pci-devices-aer_stats).
long long total_in(std::string_view text, std::string_view key) {
  for (const auto line : split(text, '\n')) {
    if (line.starts_with(key)) return host::to_number(line.substr(key.size())).value_or(0);
  }
  return 0;
}

observed errors(const system_view& system) {
  constexpr auto why = "Each corrected error repeats a packet; many of them are a bad contact or cable.";
  std::vector<std::string> found;
  bool told = false, lost = false;
  for (const auto* device : bulk_devices(system)) {
    const auto folder = "sys/bus/pci/devices/" + device->address;
    const auto corrected = system.text(folder + "/aer_dev_correctable");
    if (!corrected) continue;
    told = true;
    const auto some = total_in(*corrected, "TOTAL_ERR_COR");
    const auto fatal = total_in(system.text(folder + "/aer_dev_fatal").value_or(""), "TOTAL_ERR_FATAL");
    lost = lost || fatal > 0;
    if (some + fatal > 0)
      found.push_back(fmt::format("{}: {} corrected, {} fatal", device->address, some, fatal));
  }
  if (system.gpus) {
    for (const auto& gpu : system.gpus->gpus) {
      told = told || gpu.link_replays.has_value();
      if (gpu.link_replays.value_or(0) > 0)
        found.push_back(fmt::format("GPU {}: {} replays", gpu.index, *gpu.link_replays));
    }
  }
  if (!told)
    return bulk_devices(system).empty() ? std::nullopt
                                        : observed(unreadable("no device tells its errors", why));
  if (found.empty()) return fine("none", why);
  const advice fix{"reseat the card; dmesg | grep -i aer says when", "the host's", "the node's"};
  return lost ? invalid(join(found, ", "), why, fix) : warning(join(found, ", "), why, fix);
}

observed power_saving(const system_view& system) {
  constexpr auto why =
      "Links that sleep between packets add microseconds to each copy that finds them asleep.";
  const auto text = system.text("sys/module/pcie_aspm/parameters/policy");
  if (!text) return std::nullopt;
  const std::string policy(host::chosen_in_brackets(*text));
  if (!policy.starts_with("powersave") && !policy.starts_with("powersupersave")) return fine(policy, why);
  return warning(policy, why,
                 host_setting("echo performance | sudo tee /sys/module/pcie_aspm/parameters/policy"));
}

observed translation(const system_view& system) {
  constexpr auto why =
      "An IOMMU that translates each address slows copies of small blocks and between devices; passed "
      "through it does not.";
  if (system.names_in("sys/class/iommu").empty()) return fine("no IOMMU in sight", why);
  std::vector<std::string> translated;
  bool told = false;
  for (const auto* device : bulk_devices(system)) {
    const auto type = system.text("sys/bus/pci/devices/" + device->address + "/iommu_group/type");
    if (!type) continue;
    told = true;
    if (type->starts_with("DMA")) translated.push_back(fmt::format("{} ({})", device->address, *type));
  }
  if (!told) return unreadable("no device tells its domain", why);
  if (translated.empty()) return fine("passed through", why);
  return note("translates for " + join(translated, ", "), why, host_setting("boot with iommu=pt"));
}

observed access_control(const system_view& system) {
  constexpr auto why =
      "Access control on bridges sends peer-to-peer copies up through the root; relaxed ordering and payload "
      "size move "
      "the last few percent of a copy.";
  const bool peers = host::gpu_models(system.root).size() > 1;
  if (!peers) return std::nullopt;
  return unreadable("only root may read it: sudo lspci -vvv | grep -E 'ACSCtl|RlxdOrd|MaxPayload'", why);
}

constexpr std::array all_pcie_checks{
    check{"pcie.gpu_link", "GPU's link under load", gpu_link_width},
    check{"pcie.width", "Lanes", widths},
    check{"pcie.path", "Bridges on the way", path},
    check{"pcie.errors", "Bus errors", errors},
    check{"pcie.power_saving", "Links that sleep", power_saving},
    check{"pcie.iommu", "IOMMU", translation},
    check{"pcie.access_control", "Access control and ordering", access_control}};

}  // namespace

std::span<const check> pcie_checks() { return all_pcie_checks; }

}  // namespace ridge::probe
