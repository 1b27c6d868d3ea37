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

// More than this many places are somebody's containers.
constexpr std::size_t most_places = 6;

// Container runtimes mount single files of the host there.
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

bool is_in_pci_tree(const machine_facts& of, const host::block_device& disk) {
  return std::ranges::find(of.pci, disk.pci_address, &host::pci_device::address) != of.pci.end();
}

// The packages of snap: each a disk of its own.
bool is_package(const host::block_device& of) {
  return !of.mounts.empty() &&
         std::ranges::all_of(of.mounts, [](const auto& m) { return m.file_system == "squashfs"; });
}

// Where programs keep data although no disk here holds it.
bool is_worth_a_line(const host::mount& m) {
  constexpr std::array<std::string_view, 3> places{"/", "/tmp", "/dev/shm"};
  const bool disk_less = m.device.starts_with("0:");
  return disk_less && (host::is_remote(m.file_system) || std::ranges::find(places, m.point) != places.end());
}

// Of a tmpfs: "size=65536k".
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

void add_disk_facts(machine_node& to, const host::block_device& of) {
  to.add("model", of.model);
  add_bytes(to, "size", static_cast<double>(of.bytes));
  if (of.rotational) add_yes_no(to, "rotational", *of.rotational);
  to.add("scheduler", of.scheduler);
  if (of.nr_requests) add_count(to, "queue", *of.nr_requests);
  if (of.read_ahead_bytes) add_bytes(to, "read ahead", static_cast<double>(*of.read_ahead_bytes));
  to.add("cache", of.write_cache).add("on", join(of.lies_on, ", ")).add("mounted", places(of.mounts));
}

std::vector<machine_node> disk_parts(const machine_facts& of) {
  machine_node part{.kind = "disks", .name = "storage"};
  for (const auto& disk : of.disks) {
    if (is_in_pci_tree(of, disk) || is_package(disk)) continue;
    part.children.push_back({.kind = "disk", .name = disk.name});
    add_disk_facts(part.children.back(), disk);
  }
  for (const auto& m : of.mounts) {
    const bool shown = std::ranges::any_of(of.disks, [&](const auto& d) {
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

std::vector<machine_node> network_parts(const machine_facts& of) {
  machine_node part{.kind = "network", .name = "network"};
  std::vector<std::string> virtual_ones;
  for (const auto& one : of.network) {
    const bool in_tree =
        std::ranges::find(of.pci, one.pci_address, &host::pci_device::address) != of.pci.end();
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
