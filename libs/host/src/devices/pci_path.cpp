// SPDX-License-Identifier: Apache-2.0
#include "devices/pci_path.hpp"

#include <algorithm>

#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

bool is_pci_address(std::string_view name) {
  constexpr std::size_t tail = std::string_view(":1b:00.0").size();
  if (name.size() < 4 + tail) return false;
  const auto domain = name.substr(0, name.size() - tail);
  const auto rest = name.substr(domain.size());
  return is_hex(domain) && rest[0] == ':' && is_hex(rest.substr(1, 2)) && rest[3] == ':' &&
         is_hex(rest.substr(4, 2)) && rest[6] == '.' && is_hex(rest.substr(7, 1));
}

std::vector<std::string> pci_addresses_of(const fs::path& link) {
  std::error_code nowhere;
  const auto folder = fs::canonical(link, nowhere);
  std::vector<std::string> addresses;
  if (nowhere) return addresses;
  for (const auto& part : folder) {
    if (is_pci_address(part.string())) addresses.push_back(part.string());
  }
  return addresses;
}

std::string pci_address_of(const fs::path& link) {
  const auto all = pci_addresses_of(link);
  return all.empty() ? "" : all.back();
}

std::optional<int> numa_node_of(const fs::path& root, const std::string& address) {
  if (address.empty()) return std::nullopt;
  const auto node = read_number(root / "sys/bus/pci/devices" / address / "numa_node");
  return node && *node >= 0 ? std::optional(static_cast<int>(*node)) : std::nullopt;
}

std::string driver_of(const fs::path& device) {
  std::error_code none;
  const auto driver = fs::read_symlink(device / "driver", none);
  return none ? "" : driver.filename().string();
}

}  // namespace ridge::host
