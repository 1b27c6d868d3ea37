// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ridge::host {

// Returns the kind of container in which this process runs, by the marks it leaves below `root`:
// "Kubernetes", "Docker", "Podman", "containerd", "LXC", "Apptainer"; empty where there is no mark.
[[nodiscard]] std::string container_kind(const std::filesystem::path& root = "/");

}  // namespace ridge::host
