// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/train/search_space.hpp>

namespace ridge::plan::train {
namespace {

std::optional<int> number(std::string_view text) {
  int n = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (bad != std::errc{} || end != text.data() + text.size() || n < 0) return {};
  return n;
}

struct axis {
  std::string_view name;
  std::vector<int> search_space::*values;
};
constexpr axis axes[] = {{"tp", &search_space::tensor},
                         {"pp", &search_space::pipeline},
                         {"vp", &search_space::virtual_pipeline},
                         {"cp", &search_space::context},
                         {"dp", &search_space::data},
                         {"ep", &search_space::expert},
                         {"etp", &search_space::expert_tensor},
                         {"mbs", &search_space::micro_batch}};

bool fix_number(search_space& s, std::string_view name, std::string_view value) {
  const auto* of = std::ranges::find(axes, name, &axis::name);
  const auto n = number(value);
  if (of == std::end(axes) || !n || *n < 1) return false;
  s.*(of->values) = {*n};
  return true;
}

bool fix_sharding(search_space& s, std::string_view value) {
  const auto n = number(value);
  if (!n || *n > 3) return false;
  s.shard = {static_cast<sharding>(*n)};
  return true;
}

bool fix_recomputation(search_space& s, std::string_view value) {
  for (const auto r : {recomputation::none, recomputation::selective, recomputation::full}) {
    if (name_of(r) != value) continue;
    s.recompute = {r};
    return true;
  }
  return false;
}

bool fix_sequence(search_space& s, std::string_view value) {
  if (value != "on" && value != "off") return false;
  s.sequence_parallel = {value == "on"};
  return true;
}

bool fix_schedule(search_space& s, std::string_view value) {
  for (const auto one : {pipeline_schedule::one_forward_one_backward, pipeline_schedule::dual_pipe}) {
    if (name_of(one) != value) continue;
    s.schedule = {one};
    return true;
  }
  return false;
}

bool fix(search_space& s, std::string_view name, std::string_view value) {
  if (name == "zero") return fix_sharding(s, value);
  if (name == "recompute") return fix_recomputation(s, value);
  if (name == "sp") return fix_sequence(s, value);
  if (name == "schedule") return fix_schedule(s, value);
  return fix_number(s, name, value);
}

}  // namespace

result<search_space> fixed(const search_space& within, std::string_view text) {
  search_space s = within;
  for (const auto part : split(text, ',')) {
    const auto equals = part.find('=');
    const auto name = trim(part.substr(0, equals));
    const auto value = equals == std::string_view::npos ? std::string_view{} : trim(part.substr(equals + 1));
    if (!fix(s, name, value))
      return error{.message = fmt::format("\"{}\" fixes no axis", trim(part)),
                   .remedy =
                       "give NAME=VALUE of tp, pp, vp, cp, dp, ep, etp, mbs (1 or more), zero (0 to 3), "
                       "recompute (none, selective, full), sp (on, off), schedule (1f1b, dualpipe)"};
  }
  return s;
}

}  // namespace ridge::plan::train
