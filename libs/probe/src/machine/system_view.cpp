// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/system_view.hpp>

#include <unistd.h>

#include <algorithm>

#include <ridge/host/container.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::probe {

namespace fs = std::filesystem;

std::optional<std::string> system_view::text(std::string_view path) const {
  return host::read_text(root / path);
}

std::optional<long long> system_view::number(std::string_view path) const {
  return host::read_number(root / path);
}

std::vector<std::string> system_view::names_in(std::string_view folder) const {
  std::vector<std::string> names;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(root / folder, absent))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::optional<std::string> system_view::variable(std::string_view name) const {
  const auto at = variables.find(name);
  if (at == variables.end() || at->second.empty()) return std::nullopt;
  return at->second;
}

system_view view_of(const fs::path& root) { return view_of(root, host::read_topology(root)); }

system_view view_of(const fs::path& root, host::topology machine) {
  system_view made;
  made.root = root;
  made.machine = std::move(machine);
  made.limits = host::read_process_limits(root);
  made.mounts = host::read_mounts(root);
  made.devices = host::read_pci_devices(root);
  made.container = host::container_kind(root);
  std::error_code ignored;
  made.working_folder = fs::current_path(ignored);
  return made;
}

std::map<std::string, std::string, std::less<>> process_variables() {
  std::map<std::string, std::string, std::less<>> all;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const auto equals = entry.find('=');
    if (equals != std::string_view::npos) all.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return all;
}

}  // namespace ridge::probe
