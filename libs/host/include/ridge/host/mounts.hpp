// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::host {

// One mounted file system.
struct mount {
  std::string point{};        // "/data"
  std::string file_system{};  // ext4, xfs, overlay, tmpfs, nfs4 ...
  std::string source{};       // "/dev/sda1", "server:/export"; what the file system says
  std::string device{};       // "259:1"; major 0: no block device
  std::string options{};      // of the mount and of the file system: "rw,relatime,size=24684084k"
};

// Reads the lines of proc_pid_mountinfo(5), in their order; of mounts at one place it keeps only the last,
// which hides the others.
[[nodiscard]] std::vector<mount> parse_mounts(std::string_view mountinfo);

// Returns what this process sees mounted, by `root`/proc/self/mountinfo.
[[nodiscard]] std::vector<mount> read_mounts(const std::filesystem::path& root = "/");

// Returns whether the files of such a file system lie on another machine (NFS, SMB, Lustre, Ceph, GPFS, 9p,
// virtiofs and similar ones).
[[nodiscard]] bool is_remote(std::string_view file_system);

}  // namespace ridge::host
