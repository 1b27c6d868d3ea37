// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/container.hpp>

#include <array>
#include <string_view>

#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

struct mark {
  std::string_view word;
  std::string_view kind;
};

}  // namespace

std::string container_kind(const std::filesystem::path& root) {
  // Kubernetes stands before the runtimes that it starts.
  constexpr std::array files{mark{"var/run/secrets/kubernetes.io", "Kubernetes"},
                             mark{".singularity.d", "Apptainer"}, mark{"run/.containerenv", "Podman"},
                             mark{".dockerenv", "Docker"}};
  constexpr std::array groups{mark{"kubepods", "Kubernetes"}, mark{"libpod", "Podman"},
                              mark{"docker", "Docker"}, mark{"containerd", "containerd"},
                              mark{"/lxc", "LXC"}};
  const auto group = read_text(root / "proc/1/cgroup").value_or("");
  if (group.find("kubepods") != std::string::npos) return "Kubernetes";
  std::error_code absent;
  for (const auto& one : files) {
    if (std::filesystem::exists(root / one.word, absent)) return std::string(one.kind);
  }
  for (const auto& one : groups) {
    if (group.find(one.word) != std::string::npos) return std::string(one.kind);
  }
  return {};
}

}  // namespace ridge::host
