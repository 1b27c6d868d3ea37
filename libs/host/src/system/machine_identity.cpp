// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/machine_identity.hpp>

#include <string_view>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

// Returns the value of a line `key="value"` of os-release(5).
std::string assigned(std::string_view text, std::string_view key) {
  for (const auto line : split(text, '\n')) {
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with('=')) continue;
    auto value = trim(line.substr(key.size() + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    return std::string(value);
  }
  return {};
}

}  // namespace

machine_identity read_machine_identity(const std::filesystem::path& root) {
  const auto firmware = root / "sys/class/dmi/id";
  const auto vendor = read_text(firmware / "sys_vendor").value_or("");
  const auto product = read_text(firmware / "product_name").value_or("");
  return {.product = std::string(trim(vendor + ' ' + product)),
          .operating_system = assigned(read_text(root / "etc/os-release").value_or(""), "PRETTY_NAME")};
}

}  // namespace ridge::host
