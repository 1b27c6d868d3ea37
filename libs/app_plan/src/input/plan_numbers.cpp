// SPDX-License-Identifier: Apache-2.0
#include "input/plan_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::app_plan {
namespace {

constexpr double any = 1e18;
constexpr number_range count{1, any}, positive{0, 1e12, true}, share{0, 1}, used_share{0, 1, true};
// What a GPU costs an hour or draws, and a request holds: a slip of units or digits lies beyond.
constexpr number_range price{0, 1e6, true}, watts{0, 1e6, true}, lengths{1, 1 << 30};

// Options by name; those of one verb alone come first, and may be texts.
struct known_range {
  std::string_view verb{}, option{};
  number_range range{};
};
constexpr known_range ranges[] = {
    {"whatif", "--tp", count},
    {"whatif", "--batch", count},
    {"kv-cache", "--block-size", {}},
    {"cost-per-token", "--gpus", {1, 1e7}},
    {"cost-per-token", "--input", lengths},
    {"cost-per-token", "--output", lengths},
    {"cost-per-token", "--cached", {0, 1 << 30}},
    {"whatif", "--input", lengths},
    {"whatif", "--output", lengths},
    {"", "--tp", count},
    {"", "--pp", count},
    {"", "--vp", count},
    {"", "--cp", count},
    {"", "--dp", count},
    {"", "--ep", count},
    {"", "--etp", count},
    {"", "--gpus", count},
    {"", "--max-tp", count},
    {"", "--node-size", count},
    {"", "--replicas", count},
    {"", "--layers", count},
    {"", "--hidden", count},
    {"", "--heads", count},
    {"", "--kv-heads", count},
    {"", "--head-dim", count},
    {"", "--tokens", count},
    {"", "--sequence", count},
    {"", "--batch", count},
    {"", "--micro-batch", count},
    {"", "--global-batch", count},
    {"", "--block-size", count},
    {"", "--blocks", {1, 4294967294}},
    {"", "--max-batched-tokens", count},
    {"", "--max-sequences", count},
    {"", "--max-step-tokens", count},
    {"", "--max-num-batched-tokens", count},
    {"", "--max-num-seqs", count},
    {"", "--longest-request", count},
    {"", "--concurrency", count},
    {"", "--requests", count},
    {"", "--tenants", count},
    {"", "--repeat", count},
    {"", "--limit", count},
    {"", "--samples", count},
    {"", "--threads", count},
    {"", "--draws", count},
    {"", "--top", count},
    {"", "--port", {1, 65535}},
    {"", "--turns", {1, 1e6}},
    {"", "--rate", {0, 1e9, true}},
    {"", "--scale-rate", {0, 1e9, true}},
    {"", "--burstiness", {0, 1e6, true}},
    {"", "--peak", {1, 1e6}},
    {"", "--thin", used_share},
    {"", "--quantile", used_share},
    {"", "--level", used_share},
    {"", "--utilization", used_share},
    {"", "--goodput", used_share},
    {"", "--batch-utilization", used_share},
    {"", "--headroom", share},
    {"", "--reserved", share},
    {"", "--residual", share},
    {"", "--acceptance", share},
    {"", "--memory-share", share},
    {"", "--compute-share", share},
    {"", "--draft-share", {0, 10, true}},
    {"", "--overlap-weight", {0, 1e12}},
    {"", "--link", price},
    {"", "--port-gbps", price},
    {"", "--price", price},
    {"", "--gpu-hour", price},
    {"", "--own", {0, 1e9, true}},
    {"", "--api-price", price},
    {"", "--api-input-price", price},
    {"", "--api-output-price", price},
    {"", "--electricity-cost", {0, 1e3}},
    {"", "--colocation", {0, 1e6}},
    {"", "--staff", {0, 100}},
    {"", "--interest", {0, 10}},
    {"", "--years", {0, 100, true}},
    {"", "--busy-watts", watts},
    {"", "--idle-watts", watts},
    {"", "--limit-w", watts},
    {"", "--avg-power", positive},
    {"", "--idle-power", {0, 1e12}},
    {"", "--pue", {1, 10}},
    {"", "--carbon", {0, 1e5}},
    {"", "--interruption-hours", {0, 1e9, true}},
    {"", "--mtbf-hours", positive},
    {"", "--lost-minutes", {0, 1e9}},
    {"", "--checkpoint-s", {0, 1e9}},
    {"", "--restart-s", {0, 1e9}},
    {"", "--throughput", positive},
    {"", "--prefill-throughput", positive},
    {"", "--cached-throughput", positive},
    {"", "--decode-throughput", positive},
    {"", "--tokens-per-s", positive},
    {"", "--flop-per-s", {0, 1e24, true}},
    {"", "--draft-cost", {0, 1e3}},
    {"", "--verify-cost", {0, 1e3}},
    {"", "--memory", {0, 1e6, true}},
    {"", "--weights-gib", {0, 1e6}},
    {"", "--activations-gib", {0, 1e6}},
    {"", "--graphs-gib", {0, 1e6}},
    {"", "--context-gib", {0, 1e6}},
    {"", "--bytes-per-element", {0, 64, true}},
    {"", "--overhead", {0, 100}},
    {"", "--expert-imbalance", {1, 1e3}},
};

const known_range* find_range(std::string_view verb, std::string_view option) {
  const auto* at = std::ranges::find_if(
      ranges, [&](const known_range& r) { return r.option == option && (r.verb == verb || r.verb.empty()); });
  return at == std::end(ranges) ? nullptr : at;
}

// Seeds are any number of 64 bits.
bool is_number(const app::option_value& value) {
  return std::visit(
      [](auto* v) {
        using type = std::remove_pointer_t<decltype(v)>;
        return std::is_same_v<type, int> || std::is_same_v<type, std::int64_t> ||
               std::is_same_v<type, double> || std::is_same_v<type, std::optional<double>> ||
               std::is_same_v<type, std::optional<std::int64_t>>;
      },
      value);
}

std::string text_of(const number_range& r) {
  if (r.most < any)
    return fmt::format("a number {} {:.12g} {} {:.12g}", r.above ? "above" : "from", r.least,
                       r.above ? "and at most" : "to", r.most);
  return r.above ? fmt::format("a number above {:g}", r.least) : fmt::format("{:g} or more", r.least);
}

}  // namespace

std::optional<double> finite_number(std::string_view text) {
  double v = 0;
  const auto [at, code] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (code != std::errc() || at != text.data() + text.size() || !std::isfinite(v)) return std::nullopt;
  return v;
}

// Reads "a:b:c" as numbers and checks how many there are.
result<std::vector<double>> numbers_between_colons(const std::string& option, const std::string& text,
                                                   std::size_t least, std::size_t most,
                                                   const std::string& remedy) {
  std::vector<double> all;
  for (const auto part : split(text, ':')) {
    const auto n = finite_number(part);
    if (!n || *n < 0) return error{fmt::format("{} \"{}\" is not understood", option, text), remedy};
    all.push_back(*n);
  }
  if (all.size() < least || all.size() > most)
    return error{fmt::format("{} \"{}\" has {} numbers", option, text, all.size()), remedy};
  return all;
}

number_range range_of(std::string_view verb, std::string_view option) {
  const auto* known = find_range(verb, option);
  return known == nullptr ? number_range{} : known->range;
}

app::value_check is_within(number_range range) {
  return [range](const std::string& given) -> std::string {
    const auto value = finite_number(trim(given));
    const bool inside = value && (range.above ? *value > range.least : *value >= range.least);
    if (inside && *value <= range.most) return {};
    return fmt::format("{} is out of range; give {}", given, text_of(range));
  };
}

void check_numbers(app::command& verb) {
  for (auto& option : verb.options()) {
    const auto* known = find_range(verb.name(), option.names);
    const bool text_of_verb = known != nullptr && !known->verb.empty();
    if (!is_number(option.value) && !text_of_verb) continue;
    option.check = [within = is_within(range_of(verb.name(), option.names)),
                    before = std::move(option.check)](const std::string& text) {
      auto complaint = within(text);
      return complaint.empty() && before ? before(text) : complaint;
    };
  }
  for (auto& inner : verb.commands()) check_numbers(inner);
}

}  // namespace ridge::app_plan
