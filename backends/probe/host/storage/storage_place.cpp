// SPDX-License-Identifier: Apache-2.0
#include "storage/storage_place.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace ridge::backends::probe_host {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the scheduler of a device; a partition has that of its disk, one folder up.
std::string scheduler_of(const std::filesystem::path& device) {
  for (const auto* queue : {"queue/scheduler", "../queue/scheduler"}) {
    if (auto found = parse_scheduler(text_of(device / queue)); !found.empty()) return found;
  }
  return "";
}

}  // namespace

storage_place place_of(const std::filesystem::path& folder) {
  struct stat found {};
  if (stat(folder.c_str(), &found) != 0) return {};
  const auto number = std::to_string(major(found.st_dev)) + ":" + std::to_string(minor(found.st_dev));
  std::error_code none;
  const auto device = std::filesystem::canonical("/sys/dev/block/" + number, none);
  const auto file_system = parse_file_system(text_of("/proc/self/mountinfo"), number);
  if (none) return {file_system, "", ""};
  return {file_system, device.filename().string(), scheduler_of(device)};
}

std::string storage_place::words() const {
  std::string all = file_system.empty() ? "an unknown file system" : file_system;
  if (!device.empty()) all += " on " + device;
  if (!scheduler.empty()) all += ", scheduler " + scheduler;
  return all;
}

std::string storage_place::warning() const {
  if (file_system == "tmpfs" || file_system == "ramfs")
    return "this folder lies in memory (" + file_system + "); choose one on storage with --scratch";
  if (file_system == "overlay" || file_system == "fuse-overlayfs")
    return "this folder lies on an overlay, which its layers slow; choose a volume with --scratch";
  return "";
}

std::string parse_file_system(std::string_view mountinfo, std::string_view device) {
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string id, parent, number, word;
    words >> id >> parent >> number;
    if (number != device) continue;
    while (words >> word && word != "-") continue;
    if (words >> word) return word;
  }
  return "";
}

std::string parse_scheduler(std::string_view queue_scheduler) {
  const auto from = queue_scheduler.find('['), to = queue_scheduler.find(']');
  if (from == std::string_view::npos || to == std::string_view::npos || to < from) return "";
  return std::string(queue_scheduler.substr(from + 1, to - from - 1));
}

}  // namespace ridge::backends::probe_host
