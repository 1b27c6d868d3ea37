// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/gpu_name.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::plan {
namespace {

constexpr double gib = 1073741824.0;
constexpr double gb = 1e9;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The runs of letters and digits in lower case; a number and a following "GB" form one part.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      parts.back() += lower_case(c);
    else if (!parts.back().empty())
      parts.emplace_back();
  }
  if (parts.back().empty()) parts.pop_back();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] != "gb" || !std::ranges::all_of(parts[i - 1], is_digit)) continue;
    parts[i - 1] += "gb";
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return parts;
}

std::string run_together(std::string_view name) {
  std::string all;
  for (const auto& part : parts_of(name)) all += part;
  return all;
}

bool is_memory_size(std::string_view part) {
  return part.size() > 2 && part.ends_with("gb") &&
         std::ranges::all_of(part.substr(0, part.size() - 2), is_digit);
}

bool is_form(std::string_view part) {
  return part.starts_with("sxm") || part == "pcie" || part == "oam" || is_memory_size(part);
}

// Whether a part is a model number: "h100", "4090".
bool is_model_number(std::string_view part) {
  return std::ranges::any_of(part, is_digit) && !is_form(part) && !part.starts_with("hbm") &&
         !part.starts_with("nvl");
}

// "h100" of "H100 SXM" and "H100 PCIe".
std::string family_of(const hardware::gpu& g) {
  std::string family;
  for (const auto& part : parts_of(g.name)) {
    if (!is_form(part)) family += part;
  }
  return family;
}

using words = std::set<std::string, std::less<>>;

void add_size(words& name, double bytes) {
  name.insert(fmt::format("{:.0f}gb", bytes / gib));
  name.insert(fmt::format("{:.0f}gb", bytes / gb));
}

// All parts that a name of this GPU may have.
words words_of(const hardware::gpu& g) {
  words all{"gpu", "nvidia", "tensor", "core"};
  if (g.vendor == "amd") all = {"gpu", "amd", "instinct", "oam"};
  if (g.vendor == "google") all = {"google", "cloud"};
  if (g.name.starts_with("RTX")) all.insert("geforce");
  if (g.memory_bytes) add_size(all, g.memory_bytes->value);
  const auto add = [&](const std::string& name) {
    std::ranges::copy(parts_of(name), std::inserter(all, all.end()));
  };
  add(g.name);
  std::ranges::for_each(g.reported, add);
  if (all.contains("sxm") || all.contains("sxm4")) all.insert({"sxm", "sxm4", "sxm5", "sxm6"});
  if (g.name.starts_with("GB")) all.insert("nvl72");
  return all;
}

// Whether `text` is a sequence of these words with at least one model number among them.
bool spelled_by(const words& name, std::string_view text, bool model_seen = false) {
  if (text.empty()) return model_seen;
  return std::ranges::any_of(name, [&](const std::string& word) {
    return text.starts_with(word) &&
           spelled_by(name, text.substr(word.size()), model_seen || is_model_number(word));
  });
}

bool is_exactly(const hardware::gpu& g, const std::string& wanted) {
  return run_together(g.name) == wanted ||
         std::ranges::any_of(g.reported, [&](const std::string& r) { return run_together(r) == wanted; });
}

std::string names_of(const std::vector<const hardware::gpu*>& some) {
  std::vector<std::string> names;
  for (const auto* g : some) names.push_back(g->name);
  return join(names, ", ");
}

// The letters before a model number and the number: "rtx" and 4090 of "RTX 4090".
std::pair<std::string, double> series_of(std::string_view run_together) {
  const auto digits = run_together.find_first_of("0123456789");
  const auto end = std::min(run_together.find_first_not_of("0123456789", digits), run_together.size());
  double number = 0;
  for (auto i = digits; i < end; ++i) number = 10 * number + (run_together[i] - '0');
  return {std::string(run_together.substr(0, digits)), number};
}

// GPUs of the same series, by how near their number is: "B100" is near B200, and "A30" near A10G.
std::vector<const hardware::gpu*> of_same_series(const hardware::catalogue& catalogue,
                                                 const std::string& wanted) {
  constexpr std::size_t most = 3;
  const auto [letters, number] = series_of(wanted);
  std::vector<std::pair<double, const hardware::gpu*>> found;
  for (const auto& g : catalogue.data().gpus) {
    const auto [own, its] = series_of(run_together(g.name));
    if (own == letters && its > 0 && number > 0) found.emplace_back(std::abs(std::log(its / number)), &g);
  }
  std::ranges::stable_sort(found, {}, &decltype(found)::value_type::first);
  std::vector<const hardware::gpu*> near;
  for (std::size_t i = 0; i < std::min(found.size(), most); ++i) near.push_back(found[i].second);
  return near;
}

// GPUs whose model number is in the name asked for; else those of its series; else the nearest by spelling.
std::string nearest_names(const hardware::catalogue& catalogue, std::string_view name) {
  const auto wanted = run_together(name);
  std::vector<const hardware::gpu*> near;
  std::vector<std::string> all;
  for (const auto& g : catalogue.data().gpus) {
    all.push_back(g.name);
    const auto parts = parts_of(g.name);
    const auto inside = [&](const std::string& part) {
      return is_model_number(part) && (wanted.find(part) != std::string::npos || part.starts_with(wanted));
    };
    if (!wanted.empty() && std::ranges::any_of(parts, inside)) near.push_back(&g);
  }
  if (near.empty()) near = of_same_series(catalogue, wanted);
  if (!near.empty()) return names_of(near);
  constexpr std::size_t shortest = 3;  // two letters resemble everything
  return wanted.size() < shortest ? std::string() : nearest_name(name, all).value_or("");
}

error unknown_gpu(const hardware::catalogue& catalogue, std::string_view name) {
  const auto near = nearest_names(catalogue, name);
  return {fmt::format("no GPU of the catalogue is called \"{}\"", name),
          near.empty() ? "`ridge plan gpus --all` lists them; --hardware takes a catalogue of your own"
                       : fmt::format("did you mean {}? `ridge plan gpus --all` lists all", near)};
}

}  // namespace

result<const hardware::gpu*> gpu_called(const hardware::catalogue& catalogue, std::string_view name) {
  const auto wanted = run_together(name);
  std::vector<const hardware::gpu*> meant;
  for (const auto& g : catalogue.data().gpus) {
    if (is_exactly(g, wanted)) return &g;
    if (spelled_by(words_of(g), wanted)) meant.push_back(&g);
  }
  if (meant.empty()) return unknown_gpu(catalogue, name);
  const auto same = [&](const hardware::gpu* g) { return family_of(*g) == family_of(*meant.front()); };
  if (std::ranges::all_of(meant, same)) return meant.front();
  return error{fmt::format("\"{}\" may be several GPUs: {}", name, names_of(meant)),
               "give one of these names"};
}

std::string_view generation_of(const hardware::gpu& g) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> by_capability{
      {{"7.0", "volta"},
       {"7.5", "turing"},
       {"8.9", "ada"},
       {"8.", "ampere"},
       {"9.", "hopper"},
       {"10.", "blackwell"},
       {"11.", "blackwell"},
       {"12.", "blackwell"}}};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> by_name{
      {{"MI30", "cdna3"}, {"MI32", "cdna3"}, {"MI35", "cdna4"}}};
  for (const auto& [start, generation] : by_capability) {
    if (g.vendor == "nvidia" && g.compute_capability.starts_with(start)) return generation;
  }
  for (const auto& [start, generation] : by_name) {
    if (g.vendor == "amd" && g.name.starts_with(start)) return generation;
  }
  return g.vendor == "google" ? "tpu" : "";
}

}  // namespace ridge::plan
