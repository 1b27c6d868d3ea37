// SPDX-License-Identifier: Apache-2.0
#include "copy_name.hpp"

#include <array>
#include <utility>

namespace ridge::backends::trace_chrome_json {
namespace {

using trace::copy_kind;
using trace::memory_kind;

copy_kind kind_in(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, copy_kind>, 16> spellings{{
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
  }};
  for (const auto& [text, kind] : spellings) {
    if (name.find(text) != std::string_view::npos) return kind;
  }
  if (name.find("D2H") != std::string_view::npos) return copy_kind::device_to_host;
  return name.find("D2D") != std::string_view::npos ? copy_kind::device_to_device : copy_kind::unknown;
}

// HIP writes only "Host".
memory_kind memory_in(std::string_view end) {
  constexpr std::array<std::pair<std::string_view, memory_kind>, 5> spellings{{
      {"Pageable", memory_kind::pageable},
      {"Pinned", memory_kind::pinned},
      {"Device", memory_kind::device},
      {"Array", memory_kind::array},
      {"Managed", memory_kind::managed},
  }};
  for (const auto& [text, kind] : spellings) {
    if (end.find(text) != std::string_view::npos) return kind;
  }
  return memory_kind::unknown;
}

}  // namespace

copy_ends copy_ends_of(std::string_view name) {
  copy_ends out{.kind = kind_in(name)};
  const auto open = name.find('('), arrow = name.find("->");
  if (open == std::string_view::npos || arrow == std::string_view::npos || arrow < open) return out;
  out.source = memory_in(name.substr(open, arrow - open));
  out.destination = memory_in(name.substr(arrow));
  return out;
}

}  // namespace ridge::backends::trace_chrome_json
