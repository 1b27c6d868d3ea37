// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sandbox/sandbox.hpp"

namespace ridge::judge {
namespace {

constexpr const char* private_folder = "/tmp";
constexpr const char* copied_name = "/tmp/candidate.so";

// Places where processes find each other's data; /proc is covered last, since it is read until then.
constexpr std::array hidden_folders{"/var/tmp", "/dev/shm", "/run", "/home", "/root", "/mnt", "/srv"};
constexpr const char* small = "size=64k,mode=755";

int cover(const char* folder, const char* options) {
  struct stat seen {};
  if (::stat(folder, &seen) != 0) return 0;  // nothing to hide
  return ::mount("ridge", folder, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0 ? 0 : errno;
}

// A driver looks its process up by the number that it has in its own namespace, and must find that one: a
// /proc of this namespace, which shows nobody else.
int show_own_processes() {
  return ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ? 0 : errno;
}

// Copies what a descriptor reads to a new file.
int copy_to(const char* path, int source) {
  const int target = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0555);
  if (target < 0) return errno;
  std::array<char, 65536> piece{};
  int failed = 0;
  off_t place = 0;
  for (;;) {
    const auto got = ::pread(source, piece.data(), piece.size(), place);
    if (got == 0) break;
    if (got < 0 || ::write(target, piece.data(), static_cast<std::size_t>(got)) != got) {
      failed = errno != 0 ? errno : EIO;
      break;
    }
    place += got;
  }
  ::close(target);
  return failed;
}

}  // namespace

int hide_shared_folders(int copied, bool processes, std::string& path) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno;
  if (const int code = cover(private_folder, "size=256m,mode=755"); code != 0) return code;
  if (copied >= 0) {
    if (const int code = copy_to(copied_name, copied); code != 0) return code;
    path = copied_name;
  }
  int refused = 0;
  for (const auto* folder : hidden_folders) {
    if (const int code = cover(folder, small); code != 0) refused = code;
  }
  const int proc = processes ? cover("/proc", small) : show_own_processes();
  if (proc != 0) refused = proc;
  if (::mount(nullptr, private_folder, nullptr, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0)
    refused = errno;
  return refused;
}

}  // namespace ridge::judge
