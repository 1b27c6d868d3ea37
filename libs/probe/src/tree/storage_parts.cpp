// SPDX-License-Identifier: Apache-2.0
#include "tree/storage_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "tree/amounts.hpp"

namespace ridge::probe {
namespace {

using model::machine_node;

// A disk with more mounts than this belongs to containers.
constexpr std::size_t most_places = 6;

// Returns whether a mount belongs to the system: container runtimes mount single files of the host there.
bool is_of_the_system(const host::mount& m) {
  constexpr std::array<std::string_view, 5> folders{"/etc/", "/usr/", "/run/", "/proc/", "/lib"};
  return std::ranges::any_of(folders, [&](std::string_view f) { return m.point.starts_with(f); });
}

std::string places(const std::vector<host::mount>& mounts) {
  std::vector<std::string> shown;
  for (const auto& m : mounts) {
    if (!is_of_the_system(m)) shown.push_back(m.point + " (" + m.file_system + ')');
  }
  const auto more = shown.size() > most_places ? shown.size() - most_places : 0;
  shown.resize(shown.size() - more);
  return join(shown, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

bool is_in_pci_tree(const machine_facts& machine, const host::block_device& disk) {
  return std::ranges::find(machine.pci, disk.pci_address, &host::pci_device::address) != machine.pci.end();
}

// Returns whether a disk is a package of snap; each package is a disk of its own.
bool is_package(const host::block_device& disk) {
  return !disk.mounts.empty() &&
         std::ranges::all_of(disk.mounts, [](const auto& m) { return m.file_system == "squashfs"; });
}

// Returns whether a mount is listed although no disk here holds it: programs keep data there.
bool is_worth_a_line(const host::mount& m) {
  constexpr std::array<std::string_view, 3> places{"/", "/tmp", "/dev/shm"};
  const bool disk_less = m.device.starts_with("0:");
  return disk_less && (host::is_remote(m.file_system) || std::ranges::find(places, m.point) != places.end());
}

// Returns the size option of a tmpfs: "size=65536k".
double size_option(const std::string& options) {
  for (auto one : split(options, ',')) {
    if (!one.starts_with("size=")) continue;
    one.remove_prefix(std::string_view("size=").size());
    double size = 0;
    std::from_chars(one.data(), one.data() + one.size(), size);
    return size * (one.ends_with('k') ? 1024 : one.ends_with('m') ? 1048576 : 1);
  }
  return 0;
}

}  // namespace

void add_disk_facts(machine_node& part, const host::block_device& disk) {
  part.add("model", disk.model);
  add_bytes(part, "size", static_cast<double>(disk.bytes));
  if (disk.rotational) add_yes_no(part, "rotational", *disk.rotational);
  part.add("scheduler", disk.scheduler);
  if (disk.nr_requests) add_count(part, "queue", *disk.nr_requests);
  if (disk.read_ahead_bytes) add_bytes(part, "read ahead", static_cast<double>(*disk.read_ahead_bytes));
  part.add("cache", disk.write_cache).add("on", join(disk.lies_on, ", ")).add("mounted", places(disk.mounts));
}

std::vector<machine_node> disk_parts(const machine_facts& machine) {
  machine_node part{.kind = "disks", .name = "storage"};
  for (const auto& disk : machine.disks) {
    if (is_in_pci_tree(machine, disk) || is_package(disk)) continue;
    part.children.push_back({.kind = "disk", .name = disk.name});
    add_disk_facts(part.children.back(), disk);
  }
  for (const auto& m : machine.mounts) {
    const bool shown = std::ranges::any_of(machine.disks, [&](const auto& d) {
      return std::ranges::find(d.mounts, m.point, &host::mount::point) != d.mounts.end();
    });
    if (shown || !is_worth_a_line(m)) continue;
    machine_node line{.kind = "file_system", .name = m.point};
    line.add("file system", m.file_system);
    add_bytes(line, "size", size_option(m.options));
    line.add("from", host::is_remote(m.file_system) ? m.source : "");
    part.children.push_back(std::move(line));
  }
  if (part.children.empty()) return {};
  return {std::move(part)};
}

std::vector<machine_node> network_parts(const machine_facts& machine) {
  machine_node part{.kind = "network", .name = "network"};
  std::vector<std::string> virtual_ones;
  for (const auto& one : machine.network) {
    const bool in_tree =
        std::ranges::find(machine.pci, one.pci_address, &host::pci_device::address) != machine.pci.end();
    if (one.kind == host::network_kind::loopback || in_tree) continue;
    if (one.kind == host::network_kind::virtual_device) {
      virtual_ones.push_back(one.name);
      continue;
    }
    machine_node line{.kind = "network", .name = one.name};
    line.add("state", one.state).add("driver", one.driver);
    add_count(line, "MTU", one.mtu);
    part.children.push_back(std::move(line));
  }
  part.add("virtual",
           join(std::span(virtual_ones).first(std::min<std::size_t>(virtual_ones.size(), 8)), ", ") +
               (virtual_ones.size() > 8 ? fmt::format(" and {} more", virtual_ones.size() - 8) : ""));
  if (part.children.empty() && part.facts.empty()) return {};
  return {std::move(part)};
}

}  // namespace ridge::probe
