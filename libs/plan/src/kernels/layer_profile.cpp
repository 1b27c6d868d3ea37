// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/layer_profile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/plan/packed_file.hpp>

#include "attention_grid.hpp"
#include "decode_skew.hpp"
#include "layer_tables.hpp"
#include "layer_timer.hpp"

namespace ridge::plan::kernels {
namespace {

// How often a step runs a layer of the profile: once per layer of the model, or once.
bool runs_once(std::string_view layer) { return layer == "embedding" || layer == "final_layernorm"; }
double times_in_layer(std::string_view layer) {
  return layer == "layernorm" ? 2 : 1;
}  // before attention, and after

// Expected number of experts in use with k of E per token and uniform routing: E · (1 - (1 - k/E)^tokens).
double touched_experts(const profile_shape& shape, double tokens) {
  const auto all = static_cast<double>(shape.experts);
  return all * (1 - std::pow(1 - static_cast<double>(shape.active_experts) / all, tokens));
}

double experts_s(const std::map<double, measured_line>& lines, double touched, double tokens) {
  const auto above = lines.lower_bound(touched);
  if (above == lines.begin()) {
    return above->second.seconds(tokens);
  }
  if (above == lines.end()) {
    return lines.rbegin()->second.seconds(tokens);
  }
  const auto below = std::prev(above);
  const auto share = (touched - below->first) / (above->first - below->first);
  const auto low = below->second.seconds(tokens);
  return low + share * (above->second.seconds(tokens) - low);
}

// Seconds for every count up to the largest measured one; a count of 0 costs nothing.
template <class Function>
std::vector<double> tabulated(double most, const Function& f) {
  std::vector<double> seconds{0};
  for (double i = 1; i <= most; ++i) {
    seconds.push_back(f(i));
  }
  return seconds;
}

struct profile_tables {
  lines_by_layer dense{}, sequences{};
  std::map<double, measured_line> experts{};
};

double most_of(const lines_by_layer& lines) {
  double most = 0;
  for (const auto& [name, line] : lines) {
    most = std::max(most, line.last());
  }
  return most;
}

result<profile_tables> read_tables(const std::filesystem::path& folder, const profile_shape& shape) {
  auto dense = read_layer_lines(plain_or_packed(folder / "dense.csv"), "tokens");
  if (!dense) {
    return dense.why();
  }
  auto sequences = read_layer_lines(plain_or_packed(folder / "per_sequence.csv"), "sequences");
  if (!sequences) {
    return sequences.why();
  }
  profile_tables all{std::move(*dense), std::move(*sequences), {}};
  const auto of_experts = plain_or_packed(folder / "moe.csv");
  if (!std::filesystem::exists(of_experts)) {
    return all;
  }
  if (shape.experts <= 0 || shape.active_experts <= 0) {
    return error{of_experts.string() + ": experts were measured, and the model has none",
                 "give the model whose layers these are"};
  }
  auto experts = read_expert_lines(of_experts);
  if (!experts) {
    return experts.why();
  }
  all.experts = std::move(*experts);
  return all;
}

std::vector<double> tokens_table(const profile_tables& tables, const profile_shape& shape) {
  return tabulated(most_of(tables.dense), [&](double tokens) {
    double layer_s = 0, once_s = 0;
    for (const auto& [name, line] : tables.dense) {
      (runs_once(name) ? once_s : layer_s) += times_in_layer(name) * line.seconds(tokens);
    }
    if (!tables.experts.empty()) {
      layer_s += experts_s(tables.experts, touched_experts(shape, tokens), tokens);
    }
    return static_cast<double>(shape.layers) * layer_s + once_s;
  });
}

std::vector<double> sequences_table(const profile_tables& tables) {
  return tabulated(most_of(tables.sequences), [&](double sequences) {
    double all = 0;
    for (const auto& [name, line] : tables.sequences) {
      all += line.seconds(sequences);
    }
    return all;
  });
}

bool holds_profile(const std::filesystem::path& folder) {
  return std::filesystem::exists(plain_or_packed(folder / "attention.csv"));
}

}  // namespace

profile_shape profile_shape_of(const model_shape& m) {
  profile_shape of{.layers = m.layers()};
  for (const auto& kind : m.kinds) {
    of.experts = std::max(of.experts, kind.feed_forward.experts);
    of.active_experts = std::max(of.active_experts, kind.feed_forward.active_experts);
  }
  return of;
}

result<std::unique_ptr<serve::iteration_timer>> read_layer_profile(const std::filesystem::path& folder,
                                                                   const profile_shape& shape) {
  if (shape.layers <= 0) {
    return error{"a layer profile is stacked to " + std::to_string(shape.layers) + " layers",
                 "give the model's layers"};
  }
  auto tables = read_tables(folder, shape);
  if (!tables) {
    return tables.why();
  }
  auto attention = attention_grid::read(plain_or_packed(folder / "attention.csv"));
  if (!attention) {
    return attention.why();
  }
  auto skew = declares_skew(folder) ? decode_skew::read(plain_or_packed(folder / "skew.csv")) : decode_skew{};
  if (!skew) {
    return skew.why();
  }
  return layer_timer({.layers = static_cast<double>(shape.layers),
                      .attention = std::move(*attention),
                      .skew = std::move(*skew),
                      .tokens_s = tokens_table(*tables, shape),
                      .sequences_s = sequences_table(*tables)});
}

result<std::filesystem::path> find_layer_profile(const std::filesystem::path& below, int tensor_parallel) {
  const auto wanted = "tp" + std::to_string(tensor_parallel);
  std::vector<std::filesystem::path> found;
  std::error_code why;
  if (holds_profile(below)) {
    return below;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(below, why)) {
    if (entry.is_directory() && entry.path().filename() == wanted && holds_profile(entry.path())) {
      found.push_back(entry.path());
    }
  }
  if (found.size() == 1) {
    return found.front();
  }
  const auto what = found.empty() ? " holds no " + wanted + "/attention.csv" : " holds several profiles";
  return error{below.string() + what,
               "give the folder of one: the one that holds dense.csv and attention.csv"};
}

}  // namespace ridge::plan::kernels
