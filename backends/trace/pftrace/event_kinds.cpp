// SPDX-License-Identifier: Apache-2.0
#include "event_kinds.hpp"

#include <charconv>
#include <unordered_map>

#include <ridge/base/text.hpp>

namespace ridge::backends::trace_pftrace {
namespace {

using trace::category;

std::optional<category> told_kind(std::string_view word) {
  static const std::unordered_map<std::string_view, category> all{
      {"kernel", category::kernel},
      {"kernel_dispatch", category::kernel},
      {"gpu_memcpy", category::copy},
      {"memory_copy", category::copy},
      {"gpu_memset", category::fill},
      {"cuda_runtime", category::api},
      {"cuda_driver", category::api},
      {"hip_runtime", category::api},
      {"hip_api", category::api},
      {"hsa_api", category::api},
      {"cudart", category::api},
      {"hip", category::api},
      {"cpu_op", category::op},
      {"user_annotation", category::annotation},
      {"marker_api", category::annotation},
      {"gpu_user_annotation", category::device_annotation},
      {"python_function", category::python},
      {"cuda_sync", category::synchronization},
      {"cuda_event", category::device_event},
      {"overhead", category::overhead},
      {"rccl_api", category::other}};
  const auto at = all.find(word);
  return at == all.end() ? std::nullopt : std::optional(at->second);
}

bool is_call(std::string_view name) {
  const auto capital_after = [&](std::string_view head) {
    return name.size() > head.size() && name.starts_with(head) && name[head.size()] >= 'A' &&
           name[head.size()] <= 'Z';
  };
  return capital_after("cuda") || capital_after("cu") || capital_after("hip");
}

// Work of a device names its stream; its kind is then that of its name.
category kind_of_work(std::string_view name) {
  if (contains_ignoring_case(name.substr(0, 6), "memcpy")) return category::copy;
  return contains_ignoring_case(name.substr(0, 6), "memset") ? category::fill : category::kernel;
}

}  // namespace

trace::category kind_of_event(std::string_view category, std::string_view name,
                              const event_arguments& arguments) {
  if (const auto told = told_kind(category)) return *told;
  if (arguments.stream && arguments.device && arguments.correlation && !is_call(name))
    return kind_of_work(name);
  if (is_call(name)) return category::api;
  if (arguments.external || arguments.sequence || !arguments.dims.empty()) return category::op;
  return category::annotation;
}

trace::category kind_of_stage(std::string_view stage) {
  if (contains_ignoring_case(stage, "memset")) return category::fill;
  const bool copy = contains_ignoring_case(stage, "memcpy") || contains_ignoring_case(stage, "copy");
  return copy ? category::copy : category::kernel;
}

std::optional<std::int64_t> bracketed(std::string_view name, std::string_view word) {
  const auto at = name.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  auto digits = name.substr(at + word.size());
  if (!digits.starts_with(" [")) return std::nullopt;
  digits.remove_prefix(2);
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return failed == std::errc{} && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> last_number(std::string_view name) {
  auto first = name.size();
  while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') --first;
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(name.data() + first, name.data() + name.size(), number);
  return failed == std::errc{} ? std::optional(number) : std::nullopt;
}

}  // namespace ridge::backends::trace_pftrace
