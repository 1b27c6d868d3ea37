// SPDX-License-Identifier: Apache-2.0
#include "profile_facts.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/gpu_name.hpp>

namespace ridge::plan::kernels {
namespace {

// Other names of a part, each with the products that make it together: those of engines and of Hugging Face.
struct other_names {
  std::string_view part{};
  std::vector<std::vector<std::string_view>> names{};
};

const std::array<other_names, 6>& names_of_parts() {
  static const std::array<other_names, 6> all{
      {{"qkv_proj",
        {{"q_proj", "k_proj", "v_proj"}, {"q_proj", "kv_proj"}, {"query_key_value"}, {"c_attn"}, {"Wqkv"}}},
       {"mla_qkv_a_proj",
        {{"fused_qkv_a_proj"}, {"q_a_proj", "kv_a_proj_with_mqa"}, {"q_proj", "kv_a_proj_with_mqa"}}},
       {"mla_b_proj", {{"q_b_proj", "kv_b_proj"}, {"kv_b_proj"}}},
       {"o_proj", {{"out_proj"}, {"attention_dense"}, {"dense"}, {"c_proj"}}},
       {"gate_up_proj", {{"gate_proj", "up_proj"}, {"up_proj"}, {"fc1"}, {"c_fc"}, {"dense_h_to_4h"}}},
       {"down_proj", {{"fc2"}, {"mlp_c_proj"}, {"dense_4h_to_h"}}}}};
  return all;
}

bool is_measured(const std::string& part, const lines_by_layer& measured) {
  const auto has = [&](std::string_view name) { return measured.contains(std::string(name)); };
  if (has(part)) return true;
  const auto& all = names_of_parts();
  const auto others = std::ranges::find(all, part, &other_names::part);
  return others != all.end() && std::ranges::any_of(others->names, [&](const auto& together) {
           return std::ranges::all_of(together, has);
         });
}

}  // namespace

std::map<std::string, std::string> yaml_scalars(const std::string& text) {
  std::map<std::string, std::string> scalars;
  std::vector<std::pair<std::size_t, std::string>> open;  // indentation, key
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find(" #"));
    const auto indent = line.find_first_not_of(' ');
    const auto colon = line.find(':');
    if (indent == std::string::npos || line[indent] == '#' || colon == std::string::npos) continue;
    while (!open.empty() && open.back().first >= indent) open.pop_back();
    open.emplace_back(indent, line.substr(indent, colon - indent));
    const auto begin = line.find_first_not_of(" '\"", colon + 1);
    if (begin == std::string::npos) continue;
    std::string path;
    for (const auto& [depth, key] : open) path += (path.empty() ? "" : "/") + key;
    scalars[path] = line.substr(begin, line.find_last_not_of(" '\"\r") + 1 - begin);
  }
  return scalars;
}

std::filesystem::path file_above(const std::filesystem::path& folder, std::string_view name) {
  auto place = std::filesystem::absolute(folder);
  for (int level = 0; level < 6 && !place.empty(); ++level, place = place.parent_path()) {
    if (std::filesystem::exists(place / name)) return place / name;
    if (place == place.parent_path()) break;
  }
  return {};
}

result<std::string> check_measured_gpu(const std::filesystem::path& folder, const accelerator& asked) {
  const auto unknown = [&](const std::string& why) {
    return fmt::format("{}, so that the layers are taken for those of {}", why, asked.name);
  };
  const auto file = file_above(folder, "meta.yaml");
  if (file.empty()) return unknown("no meta.yaml says which GPU was measured");
  const auto text = read_file(file);
  if (!text) return text.why();
  const auto facts = yaml_scalars(*text);
  auto named = facts.find("gpu");
  if (named == facts.end()) named = facts.find("hardware");
  if (named == facts.end()) return unknown(file.string() + " does not say which GPU was measured");
  const auto& catalogue = hardware::catalogue::embedded();
  const auto measured = gpu_called(catalogue, named->second);
  if (!measured || !gpu_called(catalogue, asked.name))
    return unknown(fmt::format("the catalogue does not know whether \"{}\" is that GPU", named->second));
  if ((*measured)->name == asked.name) return std::string{};
  return error{fmt::format("{}: the layers were measured on \"{}\", and {} is asked for", file.string(),
                           named->second, asked.name),
               fmt::format("give --gpu \"{}\", or a profile of {}", (*measured)->name, asked.name)};
}

std::vector<std::string> dense_parts_of(const model_shape& m) {
  std::vector<std::string> parts;
  const auto add = [&](const char* part) {
    if (std::ranges::find(parts, part) == parts.end()) parts.emplace_back(part);
  };
  for (const auto& kind : m.kinds) {
    if (kind.attention.kind == attention_kind::none || kind.attention.kind == attention_kind::linear)
      continue;
    if (kind.attention.kind == attention_kind::latent)
      add("mla_qkv_a_proj"), add("mla_b_proj");
    else
      add("qkv_proj");
    add("o_proj");
  }
  const auto dense = [](const layer_shape& kind) { return kind.feed_forward.experts == 0; };
  if (std::ranges::all_of(m.kinds, dense)) add("gate_up_proj"), add("down_proj");
  return parts;
}

result<void> check_measured_parts(const std::filesystem::path& file, const std::vector<std::string>& parts,
                                  const lines_by_layer& measured) {
  std::vector<std::string> missing;
  for (const auto& part : parts) {
    if (!is_measured(part, measured)) missing.push_back(part);
  }
  if (missing.empty()) return {};
  return error{fmt::format("{}: layer: nothing was measured of {}, which the model has", file.string(),
                           join(missing, ", ")),
               "measure them too, or give the model whose layers these are"};
}

}  // namespace ridge::plan::kernels
