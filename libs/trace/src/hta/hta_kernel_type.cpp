// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_kernel_type.hpp"

#include <algorithm>
#include <array>

namespace ridge::trace {
namespace {

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> heads) {
  return std::ranges::any_of(heads, [&](std::string_view h) { return name.starts_with(h); });
}

bool contains_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts,
                             [&](std::string_view p) { return name.find(p) != std::string_view::npos; });
}

bool is_communication(std::string_view name) {
  return starts_with_any(name, {"nccl", "hip", "hccl"}) || contains_any(name, {"ncclKernel"});
}

bool is_no_computation(std::string_view name) {
  return contains_any(name, {"Memcpy", "Memset", "dma", "Sync"}) ||
         starts_with_any(name, {"Stream Wait Event", "runFunction", "job_exe", "packet", "pe_exe",
                                "cpum_exe_subgraph", "collective_subgraph_execution"}) ||
         (name.starts_with("cuda") && contains_any(name, {"LaunchKernel"}));
}

}  // namespace

hta_kernel_type hta_type_of(std::string_view name) {
  if (is_communication(name)) return hta_kernel_type::communication;
  if (starts_with_any(name, {"Memcpy", "Memset", "dma"})) return hta_kernel_type::memory;
  return is_no_computation(name) ? hta_kernel_type::other : hta_kernel_type::computation;
}

std::string_view name(hta_kernel_type t) {
  constexpr std::array<std::string_view, 4> names{"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};
  return names.at(static_cast<std::size_t>(t));
}

std::string_view hta_copy_name(std::string_view name) {
  if (name.starts_with("Memset")) return "Memset";
  if (!name.starts_with("Memcpy")) return "Memcpy Unknown";
  return name.substr(0, std::string_view("Memcpy DtoH").size());
}

}  // namespace ridge::trace
