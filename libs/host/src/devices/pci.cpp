// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/pci.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>

#include <ridge/host/cpu_list.hpp>
#include <ridge/host/text_file.hpp>

#include "devices/pci_path.hpp"

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

std::uint32_t hex_in(const fs::path& file) {
  const auto text = read_text(file).value_or("");
  const auto digits = std::string_view(text).substr(text.starts_with("0x") ? 2 : 0);
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

// Returns the speed in a file that holds "32.0 GT/s PCIe"; 0 for "Unknown", which a hypervisor may show.
double speed_in(const fs::path& file) {
  const auto text = read_text(file).value_or("");
  double speed = 0;
  std::from_chars(text.data(), text.data() + text.size(), speed);
  return speed;
}

int width_in(const fs::path& file) {
  constexpr long long widest = 32;  // the kernel writes 63 or 255 for an unknown link
  const auto lanes = read_number(file).value_or(0);
  return lanes > 0 && lanes <= widest ? static_cast<int>(lanes) : 0;
}

pci_link link_of(const fs::path& device) {
  return {.speed_gt_s = speed_in(device / "current_link_speed"),
          .width = width_in(device / "current_link_width"),
          .max_speed_gt_s = speed_in(device / "max_link_speed"),
          .max_width = width_in(device / "max_link_width")};
}

std::vector<pci_hop> bridges_above(const fs::path& devices, const std::string& address) {
  auto chain = pci_addresses_of(devices / address);
  std::vector<pci_hop> bridges;
  if (!chain.empty()) chain.pop_back();
  for (auto& one : chain) {
    const auto link = link_of(devices / one);
    bridges.push_back({std::move(one), link});
  }
  return bridges;
}

pci_device read_device(const fs::path& root, const std::string& address) {
  const auto devices = root / "sys/bus/pci/devices";
  const auto folder = devices / address;
  pci_device d{.address = address,
               .class_code = hex_in(folder / "class"),
               .vendor = static_cast<std::uint16_t>(hex_in(folder / "vendor")),
               .device = static_cast<std::uint16_t>(hex_in(folder / "device")),
               .driver = driver_of(folder),
               .link = link_of(folder),
               .bridges = bridges_above(devices, address),
               .numa_node = numa_node_of(root, address)};
  if (auto cpus = parse_cpu_list(read_text(folder / "local_cpulist").value_or(""))) d.cpus = *cpus;
  d.physical_function = pci_address_of(folder / "physfn");
  d.virtual_functions = static_cast<int>(read_number(folder / "sriov_numvfs").value_or(0));
  return d;
}

std::optional<pci_hop> least(const pci_device& device, const std::function<double(const pci_link&)>& rate) {
  std::optional<pci_hop> found;
  const auto consider = [&](const pci_hop& hop) {
    const double here = rate(hop.link);
    if (here > 0 && (!found || here < rate(found->link))) found = hop;
  };
  for (const auto& hop : device.bridges) consider(hop);
  consider({device.address, device.link});
  return found;
}

}  // namespace

int pci_generation(double speed_gt_s) {
  constexpr std::array<double, 7> speeds{2.5, 5, 8, 16, 32, 64, 128};
  const auto at = std::ranges::find_if(speeds, [&](double s) { return std::abs(s - speed_gt_s) < 0.1; });
  return at == speeds.end() ? 0 : static_cast<int>(at - speeds.begin()) + 1;
}

double pci_bytes_per_s(double speed_gt_s, int width) {
  const double coding = speed_gt_s < 7 ? 8.0 / 10 : speed_gt_s < 40 ? 128.0 / 130 : 236.0 / 256;
  return speed_gt_s * 1e9 / 8 * coding * width;
}

std::optional<pci_hop> pci_device::narrowest_now() const {
  return least(*this, [](const pci_link& l) { return pci_bytes_per_s(l.speed_gt_s, l.width); });
}

std::optional<pci_hop> pci_device::narrowest_at_most() const {
  return least(*this, [](const pci_link& l) { return pci_bytes_per_s(l.max_speed_gt_s, l.max_width); });
}

std::vector<pci_device> read_pci_devices(const fs::path& root) {
  std::vector<pci_device> all;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(root / "sys/bus/pci/devices", absent)) {
    const auto address = entry.path().filename().string();
    if (is_pci_address(address)) all.push_back(read_device(root, address));
  }
  std::ranges::sort(all, {}, &pci_device::address);
  return all;
}

}  // namespace ridge::host
