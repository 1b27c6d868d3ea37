// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/copy_ends.hpp>

#include <array>
#include <utility>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

copy_kind kind_in(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, copy_kind>, 24> spellings{{
      {"HtoD", copy_kind::host_to_device},
      {"DtoH", copy_kind::device_to_host},
      {"DtoD", copy_kind::device_to_device},
      {"PtoP", copy_kind::peer_to_peer},
      {"HtoH", copy_kind::host_to_host},
      {"HtoA", copy_kind::host_to_device},
      {"AtoH", copy_kind::device_to_host},
      {"HostToDevice", copy_kind::host_to_device},
      {"DeviceToHost", copy_kind::device_to_host},
      {"DeviceToDevice", copy_kind::device_to_device},
      {"PeerToPeer", copy_kind::peer_to_peer},
      {"HostToHost", copy_kind::host_to_host},
      {"AtoD", copy_kind::device_to_device},
      {"DtoA", copy_kind::device_to_device},
      {"AtoA", copy_kind::device_to_device},
      {"H2D", copy_kind::host_to_device},
      {"D2H", copy_kind::device_to_host},
      {"D2D", copy_kind::device_to_device},
      {"P2P", copy_kind::peer_to_peer},
      {"H2H", copy_kind::host_to_host},
      {"HOST_TO_DEVICE", copy_kind::host_to_device},
      {"DEVICE_TO_HOST", copy_kind::device_to_host},
      {"DEVICE_TO_DEVICE", copy_kind::device_to_device},
      {"HOST_TO_HOST", copy_kind::host_to_host},
  }};
  for (const auto& [text, kind] : spellings) {
    if (name.find(text) != std::string_view::npos) return kind;
  }
  return copy_kind::unknown;
}

}  // namespace

memory_kind memory_kind_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, memory_kind>, 5> spellings{{
      {"pageable", memory_kind::pageable},
      {"pinned", memory_kind::pinned},
      {"managed", memory_kind::managed},
      {"device", memory_kind::device},
      {"array", memory_kind::array},
  }};
  for (const auto& [text, kind] : spellings) {
    if (contains_ignoring_case(word, text)) return kind;
  }
  return memory_kind::unknown;
}

copy_ends copy_ends_of(std::string_view name) {
  copy_ends out{.kind = kind_in(name)};
  const auto open = name.find('('), arrow = name.find("->");
  if (open == std::string_view::npos || arrow == std::string_view::npos || arrow < open) return out;
  out.source = memory_kind_of(name.substr(open, arrow - open));
  out.destination = memory_kind_of(name.substr(arrow));
  return out;
}

}  // namespace ridge::trace
