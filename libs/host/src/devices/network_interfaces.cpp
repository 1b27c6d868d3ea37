// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/network_interfaces.hpp>

#include <algorithm>

#include <ridge/host/text_file.hpp>

#include "devices/pci_path.hpp"

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

network_kind kind_of(const fs::path& folder) {
  constexpr long long loopback_type = 772;  // ARPHRD_LOOPBACK
  if (read_number(folder / "type") == loopback_type) return network_kind::loopback;
  std::error_code none;
  return fs::exists(folder / "device", none) ? network_kind::device : network_kind::virtual_device;
}

network_interface read_interface(const fs::path& root, const fs::path& folder) {
  network_interface made{.name = folder.filename().string(),
                         .kind = kind_of(folder),
                         .driver = driver_of(folder / "device"),
                         .state = read_text(folder / "operstate").value_or(""),
                         .mtu = static_cast<int>(read_number(folder / "mtu").value_or(0)),
                         .pci_address = pci_address_of(folder / "device")};
  // -1 and 4294967295 stand for unknown.
  const auto speed = read_number(folder / "speed").value_or(-1);
  if (speed > 0 && speed < 0xffffffff) made.speed_mbit = static_cast<int>(speed);
  made.numa_node = numa_node_of(root, made.pci_address);
  return made;
}

// "4: ACTIVE" gives "ACTIVE".
std::string after_number(const std::string& text) {
  const auto colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

rdma_device read_rdma(const fs::path& root, const fs::path& folder) {
  const auto port = folder / "ports/1";
  rdma_device made{.name = folder.filename().string(),
                   .rate = read_text(port / "rate").value_or(""),
                   .state = after_number(read_text(port / "state").value_or("")),
                   .layer = read_text(port / "link_layer").value_or(""),
                   .pci_address = pci_address_of(folder / "device")};
  made.numa_node = numa_node_of(root, made.pci_address);
  return made;
}

template <class T>
std::vector<T> read_each(const fs::path& root, const fs::path& folder,
                         T (*read)(const fs::path&, const fs::path&)) {
  std::vector<T> all;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) {
    if (entry.is_directory(absent)) all.push_back(read(root, entry.path()));
  }
  std::ranges::sort(all, {}, &T::name);
  return all;
}

}  // namespace

std::vector<network_interface> read_network_interfaces(const fs::path& root) {
  return read_each(root, root / "sys/class/net", read_interface);
}

std::vector<rdma_device> read_rdma_devices(const fs::path& root) {
  return read_each(root, root / "sys/class/infiniband", read_rdma);
}

}  // namespace ridge::host
