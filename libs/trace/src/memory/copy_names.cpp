// SPDX-License-Identifier: Apache-2.0
#include "memory/copy_names.hpp"

#include <array>

namespace ridge::trace {
namespace {

struct kind_text {
  std::string_view part{};
  copy_kind kind = copy_kind::unknown;
};
constexpr std::array kind_texts{kind_text{"HtoD", copy_kind::host_to_device},
                                kind_text{"DtoH", copy_kind::device_to_host},
                                kind_text{"DtoD", copy_kind::device_to_device},
                                kind_text{"PtoP", copy_kind::peer_to_peer},
                                kind_text{"HtoH", copy_kind::host_to_host},
                                kind_text{"HostToDevice", copy_kind::host_to_device},
                                kind_text{"DeviceToHost", copy_kind::device_to_host},
                                kind_text{"DeviceToDevice", copy_kind::device_to_device},
                                kind_text{"HostToHost", copy_kind::host_to_host}};

// "Host" alone does not say whether memory is pageable or pinned.
memory_kind memory_named(std::string_view text) {
  if (text.starts_with("Pageable")) return memory_kind::pageable;
  if (text.starts_with("Pinned")) return memory_kind::pinned;
  if (text.starts_with("Device")) return memory_kind::device;
  if (text.starts_with("Array")) return memory_kind::array;
  return text.starts_with("Managed") ? memory_kind::managed : memory_kind::unknown;
}

}  // namespace

copy_ends copy_ends_of_name(std::string_view name) {
  copy_ends ends;
  for (const auto& k : kind_texts) {
    if (name.find(k.part) == std::string_view::npos) continue;
    ends.kind = k.kind;
    break;
  }
  constexpr std::string_view arrow = " -> ";
  const auto open = name.find('('), between = name.find(arrow);
  if (open == std::string_view::npos || between == std::string_view::npos || between < open) return ends;
  ends.source = memory_named(name.substr(open + 1));
  ends.destination = memory_named(name.substr(between + arrow.size()));
  return ends;
}

copy_ends copy_ends_of(const device_work& copy, const copy_ends& named) {
  return {copy.copy == copy_kind::unknown ? named.kind : copy.copy,
          copy.source == memory_kind::unknown ? named.source : copy.source,
          copy.destination == memory_kind::unknown ? named.destination : copy.destination};
}

}  // namespace ridge::trace
