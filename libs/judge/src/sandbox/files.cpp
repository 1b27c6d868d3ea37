// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "sandbox/sandbox.hpp"

// Landlock (Linux 5.13; landlock(7)). The structures are declared here, because older headers lack their
// later fields.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

namespace ridge::judge {
namespace {

struct ruleset_request {
  std::uint64_t files = 0;    // handled rights on files
  std::uint64_t network = 0;  // from version 4
  std::uint64_t scoped = 0;   // from version 6
};
struct [[gnu::packed]] beneath_rule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};
constexpr unsigned version_flag = 1;
constexpr int rule_beneath = 1;
constexpr std::uint64_t execute = 1, write_file = 2, read_file = 4, read_folder = 8, truncate = 1 << 14,
                        device_control = 1 << 15;
constexpr std::uint64_t rights_on_files = execute | write_file | read_file | truncate | device_control;

constexpr std::array readable_places{"/usr",
                                     "/lib",
                                     "/lib64",
                                     "/lib32",
                                     "/opt",
                                     "/etc/ld.so.cache",
                                     "/etc/ld.so.conf",
                                     "/etc/ld.so.conf.d",
                                     "/etc/alternatives",
                                     "/sys/devices/system"};

// What the driver of NVIDIA's GPUs reads of the system, where it names its threads, and its nodes in /dev by
// their beginning.
constexpr std::array readable_for_gpu{"/proc/driver",  "/proc/devices", "/proc/sys",    "/proc/cpuinfo",
                                      "/proc/meminfo", "/proc/version", "/sys/bus/pci", "/sys/devices",
                                      "/sys/module",   "/sys/class",    "/dev/urandom", "/dev/zero"};
constexpr const char* own_process = "/proc/self";
constexpr std::string_view nodes_of_gpu = "nvidia";

// All rights on files that a version of Landlock knows.
std::uint64_t all_rights(long version) {
  const int bits = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (std::uint64_t{1} << bits) - 1;
}

ruleset_request everything(long version) { return {.files = all_rights(version), .network = 3, .scoped = 3}; }

std::size_t bytes_of_request(long version) {
  return (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(std::uint64_t);
}

// Allows `rights`, as far as they exist for what the path names, below it.
int allow(int ruleset, const char* path, std::uint64_t rights) {
  const int place = ::open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return 0;  // what does not exist needs no right
  struct stat seen {};
  const bool folder = ::fstat(place, &seen) == 0 && S_ISDIR(seen.st_mode);
  const beneath_rule rule{.allowed = folder ? rights : rights & rights_on_files, .folder = place};
  const int code = ::syscall(SYS_landlock_add_rule, ruleset, rule_beneath, &rule, 0) == 0 ? 0 : errno;
  ::close(place);
  return code;
}

int allow_gpu(int ruleset, std::uint64_t known) {
  int failed_with = 0;
  for (const auto* place : readable_for_gpu) {
    if (const int code = allow(ruleset, place, read_file | read_folder); code != 0) failed_with = code;
  }
  const auto naming = (read_file | read_folder | write_file | truncate) & known;
  if (const int code = allow(ruleset, own_process, naming); code != 0) failed_with = code;
  std::error_code none;
  for (const auto& node : std::filesystem::directory_iterator("/dev", none)) {
    if (!node.path().filename().string().starts_with(nodes_of_gpu)) continue;
    const auto rights = (read_file | write_file | read_folder | device_control) & known;
    if (const int code = allow(ruleset, node.path().c_str(), rights); code != 0) failed_with = code;
  }
  return failed_with;
}

}  // namespace

int restrict_files(const std::string& readable, const std::string& writable, bool gpu) {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, version_flag);
  if (version < 1) return version < 0 ? errno : ENOSYS;
  const auto request = everything(version);
  const int ruleset =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &request, bytes_of_request(version), 0));
  if (ruleset < 0) return errno;
  constexpr std::uint64_t reading = execute | read_file | read_folder;
  int refused = 0;
  const auto note = [&](int code) { refused = code != 0 ? code : refused; };
  for (const auto* place : readable_places) note(allow(ruleset, place, reading));
  if (!readable.empty()) note(allow(ruleset, readable.c_str(), reading));
  if (!writable.empty()) {
    note(allow(ruleset, writable.c_str(), request.files));
    note(allow(ruleset, "/dev/null", request.files & rights_on_files));
  }
  if (gpu) note(allow_gpu(ruleset, request.files));
  if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) note(errno);
  ::close(ruleset);
  return refused;
}

}  // namespace ridge::judge
