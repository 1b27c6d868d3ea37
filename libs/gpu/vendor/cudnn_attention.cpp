// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cudnn_attention.hpp>

#include <cmath>
#include <limits>

#include "cudnn_graph.hpp"

namespace ridge::vendor {
namespace {

using tensor = cudnn_graph::tensor;

// What the library recognizes as attention is the graph of single operations in exactly this form: it
// replaces them by one kernel.
class attention_graph {
 public:
  attention_graph(cudnn_graph& graph, const attention& wanted)
      : graph_(graph),
        wanted_(wanted),
        scores_{1, whole(wanted.heads), whole(wanted.tokens), whole(wanted.tokens)} {}

  void build() {
    const auto kv_row = whole(wanted_.kv_heads * wanted_.width), row = whole(wanted_.heads * wanted_.width);
    const auto tokens = whole(wanted_.tokens), width = whole(wanted_.width);
    const cudnn_graph::extents queries{1, whole(wanted_.heads), tokens, width},
        strides{tokens * row, width, row, 1};
    const auto q = graph_.stored(cudnn_type::bf16, queries, strides, wanted_.q);
    const auto k = graph_.stored(cudnn_type::bf16, {1, whole(wanted_.kv_heads), width, tokens},
                                 {tokens * kv_row, width, 1, kv_row}, wanted_.k);
    const auto v = graph_.stored(cudnn_type::bf16, {1, whole(wanted_.kv_heads), tokens, width},
                                 {tokens * kv_row, width, kv_row, 1}, wanted_.v);
    const auto o = graph_.stored(cudnn_type::bf16, queries, strides, wanted_.o);
    const auto products = passed();
    graph_.multiply(q, k, products);
    auto scores = passed();
    graph_.pointwise(cudnn_pointwise::mul, products,
                     graph_.constant(1 / std::sqrt(static_cast<float>(wanted_.width))), scores);
    if (wanted_.causal) scores = hidden(scores);
    graph_.multiply(softmax(scores), v, o);
  }

 private:
  static std::int64_t whole(std::size_t count) { return static_cast<std::int64_t>(count); }
  tensor passed(cudnn_type type = cudnn_type::fp32) { return graph_.passed(type, scores_); }
  tensor passed_row() { return graph_.passed(cudnn_type::fp32, {1, scores_[1], scores_[2], 1}); }

  // Scores of later tokens are the least number.
  tensor hidden(tensor scores) {
    const auto row = passed(cudnn_type::int32), column = passed(cudnn_type::int32);
    const auto seen = passed(cudnn_type::boolean), kept = passed();
    graph_.pointwise(cudnn_pointwise::index, scores, nullptr, row, 2);
    graph_.pointwise(cudnn_pointwise::index, scores, nullptr, column, 3);
    graph_.compare(cudnn_pointwise::greater_or_equal, row, column, seen);
    graph_.select(seen, scores, graph_.constant(std::numeric_limits<float>::lowest()), kept);
    return kept;
  }

  // The logarithm of each row's sum is part of the form, though nobody stores it.
  tensor softmax(tensor scores) {
    const auto most = passed_row(), sum = passed_row(), logarithm = passed_row(), statistics = passed_row();
    const auto below = passed(), powers = passed(), weights = passed(cudnn_type::bf16);
    graph_.reduce(cudnn_reduction::max, scores, most);
    graph_.pointwise(cudnn_pointwise::sub, scores, most, below);
    graph_.pointwise(cudnn_pointwise::exp, below, nullptr, powers);
    graph_.reduce(cudnn_reduction::add, powers, sum);
    graph_.pointwise(cudnn_pointwise::log, sum, nullptr, logarithm);
    graph_.pointwise(cudnn_pointwise::add, most, logarithm, statistics);
    graph_.pointwise(cudnn_pointwise::div, powers, sum, weights);
    return weights;
  }

  cudnn_graph& graph_;
  const attention& wanted_;
  cudnn_graph::extents scores_;
};

}  // namespace

cudnn_attention::cudnn_attention(const attention& wanted, cudaStream_t stream)
    : graph_(std::make_unique<cudnn_graph>(stream)) {
  attention_graph(*graph_, wanted).build();
  graph_->plan();
}
cudnn_attention::~cudnn_attention() = default;
cudnn_attention::cudnn_attention(cudnn_attention&&) noexcept = default;
cudnn_attention& cudnn_attention::operator=(cudnn_attention&&) noexcept = default;

std::size_t cudnn_attention::workspace_bytes() const { return graph_->workspace_bytes(); }
void cudnn_attention::choose(void* workspace) { graph_->choose(workspace); }
void cudnn_attention::enqueue() const { graph_->enqueue(); }

}  // namespace ridge::vendor
