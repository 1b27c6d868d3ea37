// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/layer_profile.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/plan/packed_file.hpp>

#include "attention_grid.hpp"
#include "decode_skew.hpp"
#include "layer_tables.hpp"
#include "layer_timer.hpp"
#include "profile_facts.hpp"
#include "profile_links.hpp"

namespace ridge::plan::kernels {
namespace {

// How often a step runs a layer of the profile: once per layer of the model, or once.
bool runs_once(std::string_view layer) { return layer == "embedding" || layer == "final_layernorm"; }
bool all_reduces(std::string_view layer) { return layer == "all_reduce" || layer == "allreduce"; }
// A norm stands before attention and after, an all-reduce after attention and after the feed-forward.
double times_in_layer(std::string_view layer) { return layer == "layernorm" || all_reduces(layer) ? 2 : 1; }

// Expected number of experts in use with k of E per token and uniform routing: E · (1 - (1 - k/E)^tokens).
double touched_experts(const profile_shape& shape, double tokens) {
  const auto all = static_cast<double>(shape.experts);
  return all * (1 - std::pow(1 - static_cast<double>(shape.active_experts) / all, tokens));
}

// Expected maximum of so many normal deviates that add up to nothing (Blom, "Statistical Estimates and
// Transformed Beta-Variables", 1958, for independent ones), by the logistic approximation of the normal
// quantile.
double expected_maximum(double ranks) {
  constexpr double logistic = 1.702;
  const auto quantile = (ranks - 0.375) / (ranks + 0.25);
  return std::log(quantile / (1 - quantile)) / logistic / std::sqrt(1 - 1 / ranks);
}

// The busiest rank's tokens over the mean, with the experts divided among so many ranks.
double expert_imbalance(const profile_shape& shape, int ranks, double tokens) {
  constexpr double variation = 0.81;  // of a popularity log-uniform over a factor of 20, as in demand.cpp
  if (ranks <= 1) return 1;
  const auto n = static_cast<double>(ranks), experts = static_cast<double>(shape.experts);
  const auto by_popularity = variation * variation * (n - 1) / experts;
  const auto by_chance = (n - 1) / (tokens * static_cast<double>(shape.active_experts));
  return std::min(n, 1 + expected_maximum(n) * std::sqrt(by_popularity + by_chance));
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
  expert_lines experts{};
};

double most_of(const lines_by_layer& lines) {
  double most = 0;
  for (const auto& [name, line] : lines) {
    most = std::max(most, line.last());
  }
  return most;
}

result<profile_tables> read_tables(const std::filesystem::path& folder, const profile_shape& shape,
                                   const parallel_layout& layout) {
  auto dense = read_layer_lines(plain_or_packed(folder / "dense.csv"), "tokens");
  if (!dense) {
    return dense.why();
  }
  auto sequences = read_layer_lines(plain_or_packed(folder / "per_sequence.csv"), "sequences");
  if (!sequences) {
    return sequences.why();
  }
  if (const auto good = check_measured_parts(folder / "dense.csv", shape.dense_parts, *dense); !good)
    return good.why();
  if (const auto good = check_measured_parts(folder / "per_sequence.csv", shape.sequence_parts, *sequences);
      !good)
    return good.why();
  profile_tables all{std::move(*dense), std::move(*sequences), {}};
  const auto of_experts = plain_or_packed(folder / "moe.csv");
  if (!std::filesystem::exists(of_experts)) {
    if (shape.experts <= 0) return all;
    return error{of_experts.string() + ": is not there, and the model has experts",
                 "measure them too, or give the model whose layers these are"};
  }
  if (shape.experts <= 0 || shape.active_experts <= 0) {
    return error{of_experts.string() + ": experts were measured, and the model has none",
                 "give the model whose layers these are"};
  }
  auto experts = read_expert_lines(of_experts, layout.expert);
  if (!experts) {
    return experts.why();
  }
  all.experts = std::move(*experts);
  return all;
}

// Whether the profile has the all-reduce among its layers, as some have.
bool measures_all_reduce(const lines_by_layer& dense) {
  return std::ranges::any_of(dense, [](const auto& layer) { return all_reduces(layer.first); });
}

// Seconds of a collective of so many bytes; empty: no time.
using exchange_seconds = std::function<double(const exchange&)>;

class profile_stack {
 public:
  profile_stack(const profile_tables& tables, const profile_question& question, exchange_seconds links)
      : tables_(tables),
        shape_(question.shape),
        layout_(question.layout),
        together_(ranks_together(question.shape, question.layout)),
        links_(std::move(links)) {}

  [[nodiscard]] std::vector<double> tokens_s() const {
    return tabulated(most_of(tables_.dense), [&](double tokens) {
      double layer_s = 0, once_s = 0;
      for (const auto& [name, line] : tables_.dense)
        (runs_once(name) ? once_s : layer_s) += times_in_layer(name) * line.seconds(tokens);
      const auto reduced_s = measures_all_reduce(tables_.dense)
                                 ? 0
                                 : exchange_s(collective::all_reduce, tokens * row_bytes(), layout_.tensor);
      layer_s += (together_ > 1 ? 1 : 2) * reduced_s;
      once_s +=
          reduced_s + (layout_.pipeline - 1) * exchange_s(collective::point_to_point, tokens * row_bytes(),
                                                          std::min(layout_.pipeline, 2));
      return static_cast<double>(shape_.layers) * layer_s + once_s;
    });
  }

  [[nodiscard]] std::vector<double> experts_s() const {
    if (tables_.experts.empty()) return {};
    return tabulated(most_of(tables_.dense) * together_, [&](double tokens) {
      const auto dispatched = tokens * row_bytes();
      const auto ranks = together_ > 1 ? layout_.expert : 1;
      return static_cast<double>(shape_.layers) *
             (busiest_rank_s(tokens) + exchange_s(collective::all_gather, dispatched, ranks) +
              exchange_s(collective::reduce_scatter, dispatched, ranks));
    });
  }

  [[nodiscard]] std::vector<double> sequences_s() const {
    return tabulated(most_of(tables_.sequences), [&](double sequences) {
      auto all =
          exchange_s(collective::all_gather,
                     sequences * sixteen_bits * static_cast<double>(shape_.vocabulary), layout_.tensor);
      for (const auto& [name, line] : tables_.sequences) all += line.seconds(sequences);
      return all;
    });
  }

 private:
  static constexpr double sixteen_bits = 2;
  [[nodiscard]] double row_bytes() const { return sixteen_bits * static_cast<double>(shape_.hidden); }
  [[nodiscard]] double exchange_s(collective kind, double bytes, int ranks) const {
    return links_ && ranks > 1 && bytes > 0 ? links_({kind, bytes, ranks}) : 0;
  }

  // Measured so divided, the rows are those of one rank of all tokens. Measured undivided, the experts of a
  // tensor group do the same work whether each is cut or a few are whole: data-parallel ranks divide it.
  [[nodiscard]] double busiest_rank_s(double tokens) const {
    const auto busy = expert_imbalance(shape_, layout_.expert, tokens);
    const auto measured = static_cast<double>(tables_.experts.ranks);
    const auto touched = touched_experts(shape_, tokens) * busy;
    if (measured > 1)
      return tables_.experts.seconds(std::min(touched, static_cast<double>(shape_.experts)) / measured,
                                     tokens * busy);
    const auto share = 1.0 / together_;
    return tables_.experts.seconds(std::min(touched, static_cast<double>(shape_.experts)) * share,
                                   std::max(1.0, tokens * busy * share));
  }

  const profile_tables& tables_;
  const profile_shape& shape_;
  const parallel_layout& layout_;
  int together_;
  exchange_seconds links_;
};

bool holds_profile(const std::filesystem::path& folder) {
  return std::filesystem::exists(plain_or_packed(folder / "attention.csv"));
}

// Whether the name of a folder says a degree, and not this one: "tp1" where "tp2" is wanted.
bool of_other_degree(std::string_view name, std::string_view wanted) {
  const bool says = name.starts_with("tp") && name.size() > 2 &&
                    name.find_first_not_of("0123456789", 2) == std::string_view::npos;
  return says && name != wanted;
}

bool exchanges(const parallel_layout& l, int together) {
  return l.tensor > 1 || l.pipeline > 1 || together > 1;
}

std::vector<std::string> notes_of(const attention_grid& attention, const std::string& links) {
  std::vector<std::string> notes;
  for (const auto& filled : attention.filled()) notes.push_back("filled in: " + filled.text());
  if (!links.empty()) notes.push_back("collectives: " + links);
  return notes;
}

result<timed_layers> stack_with(const profile_question& q, const profile_links& links) {
  if (q.shape.layers <= 0)
    return error{"a layer profile is stacked to " + std::to_string(q.shape.layers) + " layers",
                 "give the model's layers"};
  const auto tables = read_tables(q.folder, q.shape, q.layout);
  if (!tables) return tables.why();
  auto attention = attention_grid::read(plain_or_packed(q.folder / "attention.csv"));
  if (!attention) return attention.why();
  auto skew =
      declares_skew(q.folder) ? decode_skew::read(plain_or_packed(q.folder / "skew.csv")) : decode_skew{};
  if (!skew) return skew.why();
  const profile_stack stack(*tables, q, links.seconds);
  timed_layers made{.notes = notes_of(*attention, links.source)};
  made.timer = layer_timer({.layers = static_cast<double>(q.shape.layers),
                            .attention = std::move(*attention),
                            .skew = std::move(*skew),
                            .tokens_s = stack.tokens_s(),
                            .sequences_s = stack.sequences_s(),
                            .experts_s = stack.experts_s(),
                            .ranks_together = ranks_together(q.shape, q.layout),
                            .micro_batches = q.layout.pipeline});
  return made;
}

}  // namespace

profile_shape profile_shape_of(const model_shape& m) {
  profile_shape of{.layers = m.layers(), .hidden = m.hidden, .vocabulary = m.vocabulary};
  for (const auto& kind : m.kinds) {
    of.experts = std::max(of.experts, kind.feed_forward.experts);
    of.active_experts = std::max(of.active_experts, kind.feed_forward.active_experts);
  }
  of.dense_parts = dense_parts_of(m);
  of.sequence_parts = {"lm_head"};
  return of;
}

int ranks_together(const profile_shape& shape, const parallel_layout& layout) {
  return shape.experts > 0 && layout.expert > 1 ? layout.data : 1;
}

result<std::unique_ptr<serve::iteration_timer>> read_layer_profile(const std::filesystem::path& folder,
                                                                   const profile_shape& shape) {
  auto made = stack_with({.folder = folder, .shape = shape}, {});
  if (!made) return made.why();
  return std::move(made->timer);
}

result<timed_layers> stack_layers(const profile_question& q) {
  auto doubt = check_measured_gpu(q.folder, q.gpu);
  if (!doubt) return doubt.why();
  const bool alone = !exchanges(q.layout, ranks_together(q.shape, q.layout));
  const auto links = alone ? result<profile_links>(profile_links{}) : links_of_profile(q.folder, q.gpu);
  if (!links) return links.why();
  auto made = stack_with(q, *links);
  if (made && !doubt->empty()) made->notes.push_back(std::move(*doubt));
  return made;
}

result<std::filesystem::path> find_layer_profile(const std::filesystem::path& below, int tensor_parallel) {
  const auto wanted = "tp" + std::to_string(tensor_parallel);
  std::vector<std::filesystem::path> found;
  std::error_code why;
  if (holds_profile(below)) {
    if (!of_other_degree(below.filename().string(), wanted)) return below;
    return error{below.string() + " was measured with another tensor parallelism than " +
                     std::to_string(tensor_parallel),
                 "give the folder above, which holds " + wanted + ", or --tp as it was measured"};
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
