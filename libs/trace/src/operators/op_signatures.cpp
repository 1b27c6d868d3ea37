// SPDX-License-Identifier: Apache-2.0
#include "operators/op_signatures.hpp"

#include "operators/op_inputs.hpp"

namespace ridge::trace {
namespace {

std::vector<double> inputs_of(const trace& t, const op_detail& detail) {
  const op_inputs in({.input_dims = t.names[detail.input_dims], .input_types = t.names[detail.input_types]});
  std::vector<double> bytes;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in.at(i).bytes() > 0) bytes.push_back(in.at(i).bytes());
  }
  return bytes;
}

}  // namespace

op_signatures::op_signatures(const trace& t, const op_tree& tree)
    : t_(t), tree_(tree), of_node_(tree.nodes.size(), none) {}

std::uint32_t op_signatures::of_node(std::uint32_t node) {
  if (of_node_[node] != none) return of_node_[node];
  const auto event = tree_.nodes[node].event;
  const auto row = t_.events.detail[event];
  const auto detail = row == none ? op_detail{} : t_.ops[row];
  const std::array key{t_.events.name[event], detail.input_dims, detail.input_types, detail.concrete_inputs};
  const auto [at, fresh] = index_.try_emplace(key, static_cast<std::uint32_t>(all_.size()));
  if (fresh) all_.push_back({key[0], key[1], key[2], key[3], model_of(t_, event), inputs_of(t_, detail)});
  return of_node_[node] = at->second;
}

std::uint32_t op_signatures::owner_of(std::uint32_t node) {
  for (auto up = node; up != none; up = tree_.nodes[up].parent) {
    if (all_[of_node(up)].model) return up;
  }
  return node;
}

}  // namespace ridge::trace
