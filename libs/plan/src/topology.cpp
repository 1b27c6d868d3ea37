// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/topology.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>

namespace ridge::plan {
namespace {

using nlohmann::json;
constexpr std::int64_t everything = std::int64_t{1} << 40;
constexpr std::array<std::string_view, 7> members{
    "name", "size", "gigabytes_per_s", "gigabits_per_s", "latency_us", "efficiency", "oversubscription"};

// Reads one tier and keeps the first error.
class tier_reader {
 public:
  tier_reader(const json& document, std::string file, std::size_t index)
      : tier_(document), place_(fmt::format("{}: /tiers/{}", file, index)) {}

  result<link_tier> read() {
    if (!tier_.is_object())
      return error{.message = place_ + " is not an object", .remedy = "give {\"name\": ...}"};
    refuse_strangers();
    link_tier t{.name = text("name")};
    t.size = static_cast<std::int64_t>(number("size", 1, 1e12).value_or(static_cast<double>(everything)));
    t.bytes_per_s = speed();
    t.latency_s = number("latency_us", 0, 1e6).value_or(0) * 1e-6;
    t.efficiency = number("efficiency", 1e-3, 1).value_or(1);
    t.oversubscription = number("oversubscription", 1, 1e3).value_or(1);
    t.source = place_;
    if (wrong_) return *wrong_;
    return t;
  }

 private:
  void refuse(std::string_view member, std::string fault, std::string remedy) {
    if (!wrong_)
      wrong_ = error{.message = fmt::format("{}/{} {}", place_, member, fault), .remedy = std::move(remedy)};
  }

  void refuse_strangers() {
    for (const auto& [name, value] : tier_.items()) {
      if (std::ranges::find(members, name) == members.end())
        refuse(name, "is not a member of a tier", fmt::format("members are {}", fmt::join(members, ", ")));
    }
  }

  std::string text(const char* member) {
    const auto at = tier_.find(member);
    if (at == tier_.end() || !at->is_string()) {
      refuse(member, "is not a valid name", "give the tier a name as text");
      return {};
    }
    return at->get<std::string>();
  }

  std::optional<double> number(const char* member, double least, double most) {
    const auto at = tier_.find(member);
    if (at == tier_.end()) return {};
    const auto range = fmt::format("give a number from {} to {}", least, most);
    if (!at->is_number()) {
      refuse(member, fmt::format("is {}, no number", at->dump()), range);
      return {};
    }
    const auto value = at->get<double>();
    if (!(value >= least && value <= most)) refuse(member, fmt::format("is {}", at->dump()), range);
    return value;
  }

  double speed() {
    const auto bytes = number("gigabytes_per_s", 1e-6, 1e6);
    const auto bits = number("gigabits_per_s", 1e-6, 1e7);
    if (bytes.has_value() == bits.has_value())
      refuse(bytes ? "gigabits_per_s" : "gigabytes_per_s",
             bytes ? "is given beside gigabytes_per_s" : "is missing, and so is gigabits_per_s",
             "give one of both, of one GPU and one direction");
    return bytes ? *bytes * 1e9 : bytes_per_s_of_gigabits(bits.value_or(0));
  }

  const json& tier_;
  std::string place_;
  std::optional<error> wrong_{};
};

std::optional<error> sizes_wrong(const interconnect& links, std::string_view file) {
  for (std::size_t i = 1; i < links.tiers.size(); ++i) {
    const auto inner = links.tiers[i - 1].size, outer = links.tiers[i].size;
    const bool open = i + 1 == links.tiers.size() && outer == everything;
    if (outer > inner && (open || outer % inner == 0)) continue;
    return error{.message = fmt::format("{}: /tiers/{}/size is {}, below it {}", file, i, outer, inner),
                 .remedy = "sizes count GPUs and rise, each a multiple of the one before"};
  }
  return {};
}

result<interconnect> tiers_of(const json& all, std::string_view file) {
  const auto at = all.is_object() ? all.find("tiers") : all.end();
  if (!all.is_object() || at == all.end() || !at->is_array() || at->empty() || at->size() > 16)
    return error{.message = fmt::format("{}: /tiers is not a list of 1 to 16 tiers", file),
                 .remedy = "give {\"tiers\": [...]}, innermost first"};
  interconnect by;
  for (std::size_t i = 0; i < at->size(); ++i) {
    auto tier = tier_reader((*at)[i], std::string(file), i).read();
    if (!tier) return tier.why();
    by.tiers.push_back(std::move(*tier));
  }
  if (auto wrong = sizes_wrong(by, file)) return *wrong;
  return by;
}

link_tier network(std::string name, std::int64_t size, double gigabits, double latency_us,
                  double oversubscribed) {
  return {.name = std::move(name),
          .size = size,
          .bytes_per_s = bytes_per_s_of_gigabits(gigabits),
          .latency_s = latency_us * 1e-6,
          .efficiency = 0.9,
          .oversubscription = oversubscribed,
          .source = "preset; latency and efficiency assumed"};
}

interconnect inner(const accelerator& gpu, int size) {
  auto by = usual_interconnect(gpu);
  by.tiers.resize(by.tiers.size() - 1);
  if (!by.tiers.empty()) by.tiers.front().size = size;
  return by;
}

interconnect with(interconnect links, std::initializer_list<link_tier> outer) {
  links.tiers.insert(links.tiers.end(), outer);
  return links;
}

// Oversubscription of a fat tree: "" gives 2, ":4" gives 4.
std::optional<double> times_of(std::string_view rest) {
  if (rest.empty()) return 2;
  if (rest[0] != ':') return {};
  double times = 0;
  const auto* end = rest.data() + rest.size();
  const auto read = std::from_chars(rest.data() + 1, end, times);
  if (read.ec != std::errc{} || read.ptr != end || !(times >= 1 && times <= 1e3)) return {};
  return times;
}

constexpr std::array<topology_preset, 4> presets{
    {{"dgx", "8 GPUs on scale-up links, a 400 Gb/s rail per GPU, not oversubscribed"},
     {"nvl72", "72 GPUs on scale-up links, 400 Gb/s per GPU outside"},
     {"fat-tree", "8 GPUs a node, 256 under one leaf, spine oversubscribed twice (fat-tree:N for N times)"},
     {"three-tier", "8 GPUs a node, 3072 in a pod, 24576 in a building with 7 to 1 above pods"}}};

}  // namespace

double bytes_per_s_of_gigabits(double gigabits_per_s) { return gigabits_per_s * 1e9 / 8; }

result<interconnect> parse_topology(std::string_view text, std::string_view name) {
  const auto all = json::parse(text.begin(), text.end(), nullptr, false);
  if (all.is_discarded())
    return error{.message = fmt::format("{} is not valid JSON", name), .remedy = "give {\"tiers\": [...]}"};
  return tiers_of(all, name);
}

result<interconnect> read_topology(const std::filesystem::path& file) {
  constexpr std::size_t most_bytes = 1 << 20;
  const auto text = read_file(file, most_bytes);
  if (!text) return error{.message = text.why().message, .remedy = "give a topology as JSON"};
  if (text->empty())
    return error{.message = fmt::format("{} is empty", file.string()), .remedy = "give a topology as JSON"};
  return parse_topology(*text, file.filename().string());
}

std::span<const topology_preset> topology_presets() { return presets; }

result<interconnect> topology_named(std::string_view name, const accelerator& gpu) {
  if (name == "dgx") return with(inner(gpu, 8), {network("rails", everything, 400, 5, 1)});
  if (name == "nvl72") return with(inner(gpu, 72), {network("network", everything, 400, 5, 1)});
  if (name == "three-tier")
    return with(inner(gpu, 8),
                {network("pod", 3072, 400, 5, 1), network("building", everything, 400, 10, 7)});
  if (name.starts_with("fat-tree")) {
    const auto times = times_of(name.substr(std::string_view("fat-tree").size()));
    if (times)
      return with(inner(gpu, 8),
                  {network("leaf", 256, 400, 5, 1), network("spine", everything, 400, 7, *times)});
  }
  std::string names;
  for (const auto& p : presets) names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
  return error{.message = fmt::format("no topology \"{}\"", name),
               .remedy = fmt::format("take one of {}, or a file of tiers", names)};
}

}  // namespace ridge::plan
