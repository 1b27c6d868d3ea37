// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/block_devices.hpp>

#include <algorithm>
#include <string_view>

#include <ridge/host/text_file.hpp>

#include "devices/pci_path.hpp"

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

// An NVMe disk with multipath is a virtual device whose subsystem links the controllers.
std::string address_of(const fs::path& folder) {
  auto address = pci_address_of(folder);
  if (!address.empty()) return address;
  for (const auto& entry : entries_of(folder / "device")) {
    if (!entry.filename().string().starts_with("nvme")) continue;
    if (address = pci_address_of(entry); !address.empty()) return address;
  }
  return address;
}

bool is_memory_backed(std::string_view name) {
  return name.starts_with("loop") || name.starts_with("ram") || name.starts_with("zram");
}

// Returns "254:0" of the device and "259:1" of each partition, which is a folder with a file `partition`.
std::vector<std::string> numbers_of(const fs::path& folder) {
  std::vector<std::string> numbers{read_text(folder / "dev").value_or("")};
  for (const auto& entry : entries_of(folder)) {
    if (read_text(entry / "partition")) numbers.push_back(read_text(entry / "dev").value_or(""));
  }
  std::erase(numbers, "");
  return numbers;
}

std::vector<mount> mounts_of(const fs::path& folder, const std::vector<mount>& all) {
  const auto numbers = numbers_of(folder);
  const auto name = "/dev/" + folder.filename().string();
  std::vector<mount> mine;
  for (const auto& m : all) {
    const bool anonymous = m.device.starts_with("0:");  // btrfs and zfs number their own
    const bool named =
        anonymous && (m.source == name ||
                      (m.source.starts_with(name) && fs::exists(folder / fs::path(m.source).filename())));
    if (named || std::ranges::find(numbers, m.device) != numbers.end()) mine.push_back(m);
  }
  return mine;
}

block_device read_device(const fs::path& root, const fs::path& folder, const std::vector<mount>& mounts) {
  constexpr std::uint64_t sector = 512;  // the unit of /sys/block/*/size, whatever sectors the disk has
  const auto queue = folder / "queue";
  block_device d{.name = folder.filename().string(),
                 .model = read_text(folder / "device/model").value_or(""),
                 .bytes = static_cast<std::uint64_t>(read_number(folder / "size").value_or(0)) * sector,
                 .write_cache = read_text(queue / "write_cache").value_or(""),
                 .pci_address = address_of(folder),
                 .mounts = mounts_of(folder, mounts)};
  if (const auto turns = read_number(queue / "rotational")) d.rotational = *turns != 0;
  const auto schedulers = read_text(queue / "scheduler").value_or("");
  const auto chosen = chosen_in_brackets(schedulers);
  d.scheduler = chosen.empty() ? schedulers : std::string(chosen);
  if (const auto n = read_number(queue / "nr_requests")) d.nr_requests = static_cast<int>(*n);
  if (const auto kib = read_number(queue / "read_ahead_kb"))
    d.read_ahead_bytes = static_cast<std::uint64_t>(*kib) * 1024;
  d.numa_node = numa_node_of(root, d.pci_address);
  for (const auto& slave : entries_of(folder / "slaves")) d.lies_on.push_back(slave.filename().string());
  return d;
}

}  // namespace

std::vector<block_device> read_block_devices(const fs::path& root) {
  const auto mounts = read_mounts(root);
  std::vector<block_device> all;
  for (const auto& folder : entries_of(root / "sys/block")) {
    if (read_number(folder / "hidden").value_or(0) != 0) continue;
    auto device = read_device(root, folder, mounts);
    const bool unused = device.mounts.empty() && is_memory_backed(device.name);
    if (device.bytes > 0 && !unused) all.push_back(std::move(device));
  }
  return all;
}

}  // namespace ridge::host
