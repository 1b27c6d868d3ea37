// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ridge::host {

// What kind of container this process lives in, by the marks it leaves below `root`: "Kubernetes", "Docker",
// "Podman", "containerd", "LXC", "Apptainer"; empty where none shows.
[[nodiscard]] std::string container_kind(const std::filesystem::path& root = "/");

}  // namespace ridge::host
