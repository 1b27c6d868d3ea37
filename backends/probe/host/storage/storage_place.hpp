// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ridge::backends::probe_host {

// The file system and device on which the files of a folder lie. A text is empty where the system does not
// tell.
struct storage_place {
  std::string file_system{};                  // "ext4"
  std::string device{};                       // "nvme0n1p2"
  std::string scheduler{};                    // "none"
  [[nodiscard]] std::string words() const;    // "ext4 on vda, scheduler none"
  [[nodiscard]] std::string warning() const;  // why rates here are not those of a disk; empty where they are
};

[[nodiscard]] storage_place place_of(const std::filesystem::path& folder);

// Returns the file system that is mounted from the device "254:0", from /proc/self/mountinfo (proc(5)); empty
// where none is.
[[nodiscard]] std::string parse_file_system(std::string_view mountinfo, std::string_view device);
// Returns "none" for "mq-deadline kyber [none]".
[[nodiscard]] std::string parse_scheduler(std::string_view queue_scheduler);

}  // namespace ridge::backends::probe_host
