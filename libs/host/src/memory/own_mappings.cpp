// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/own_mappings.hpp>

#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>

namespace ridge::host {
namespace {

// A line of /proc/self/maps or smaps that begins a mapping.
struct mapping_line {
  std::uintptr_t first = 0, last = 0;
  std::string rights{}, name{};
};

std::optional<mapping_line> mapping_in(const std::string& line) {
  mapping_line made;
  std::istringstream words(line);
  char dash = 0;
  std::string offset, device, inode;
  words >> std::hex >> made.first >> dash >> made.last >> made.rights >> offset >> device >> inode;
  if (!words || dash != '-' || made.rights.size() != 4) return std::nullopt;
  std::getline(words >> std::ws, made.name);
  return made;
}

}  // namespace

std::vector<std::string> files_with_changed_code() {
  std::ifstream in("/proc/self/smaps");
  std::vector<std::string> all;
  std::optional<mapping_line> code;
  for (std::string line; std::getline(in, line);) {
    if (const auto mapping = mapping_in(line)) {
      const bool of_a_file = mapping->name.starts_with('/');
      code = of_a_file && mapping->rights[2] == 'x' ? mapping : std::nullopt;
    } else if (code && line.starts_with("Anonymous:") && std::stoul(line.substr(10)) > 0) {
      all.push_back(code->name);
    }
  }
  return all;
}

std::vector<std::span<std::byte>> shared_memory() {
  std::ifstream in("/proc/self/maps");
  std::vector<std::span<std::byte>> all;
  for (std::string line; std::getline(in, line);) {
    const auto mapping = mapping_in(line);
    if (!mapping || mapping->rights[3] != 's') continue;
    if (!mapping->name.starts_with("/dev/zero") && !mapping->name.starts_with("/memfd:")) continue;
    all.emplace_back(reinterpret_cast<std::byte*>(mapping->first), mapping->last - mapping->first);
  }
  return all;
}

bool hide_from_children(std::span<std::byte> memory) {
  return madvise(memory.data(), memory.size(), MADV_DONTFORK) == 0;
}

}  // namespace ridge::host
