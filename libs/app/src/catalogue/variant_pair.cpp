// SPDX-License-Identifier: Apache-2.0
#include "catalogue/variant_pair.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/app/targets.hpp>

namespace ridge::app {
namespace {

// Two variants of another definition under new numbers; everything else is that of the original definition.
class pair_definition final : public experiment::definition {
 public:
  pair_definition(experiment original, std::array<std::size_t, 2> chosen)
      : original_(std::move(original)), chosen_(chosen) {
    static_cast<facts&>(*this) = *original_;
    variants = {original_->variants[chosen[0]], original_->variants[chosen[1]]};
    variants[0].is = model::role::baseline;
    variants[1].is = model::role::optimized;
    informational = false;
  }
  bool skips(const problem& p) const override { return original_->skips(p); }
  std::unique_ptr<member> make(const problem& p, ridge::memory m) const override {
    return original_->make(p, std::move(m));
  }
  ridge::work work(const problem& p) const override { return original_->work(p); }
  double traffic(std::size_t v, const problem& p) const override { return original_->traffic(chosen_[v], p); }
  tolerance within(std::size_t v, const problem& p) const override {
    return original_->within(chosen_[v], p);
  }
  void oracle(member& m) const override { original_->oracle(m); }
  double element(const member& m, std::size_t i) const override { return original_->element(m, i); }
  result<void> check(const member& m) const override { return original_->check(m); }
  std::unique_ptr<bound_body> bind(std::size_t v, member& m, setup& s) const override {
    return original_->bind(chosen_[v], m, s);
  }
  void stage(std::size_t v, member& m, setup& s) const override { original_->stage(chosen_[v], m, s); }

 private:
  using facts = experiment::definition;
  experiment original_;
  std::array<std::size_t, 2> chosen_;
};

result<std::size_t> index_of(const experiment& original, const std::string& variant) {
  const auto found = std::ranges::find(original->variants, variant, &variant_facts::name);
  if (found != original->variants.end()) return static_cast<std::size_t>(found - original->variants.begin());
  std::vector<std::string> names;
  for (const auto& v : original->variants) names.push_back(v.name);
  return unknown_name("variant of " + original->id, variant, names, "see `ridge show ID`");
}

}  // namespace

variant_address parse_address(std::string_view text) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  return {normal_target(name), colon == std::string_view::npos ? "" : std::string(text.substr(colon + 1))};
}

result<experiment> only_pair(const experiment& original, const std::string& reference,
                             const std::string& candidate) {
  const auto first = index_of(original, reference), second = index_of(original, candidate);
  if (!first) return first.why();
  if (!second) return second.why();
  if (*first == *second) return error{"a variant cannot be compared with itself", "name two variants"};
  if (original->variants[*first].backend != original->variants[*second].backend)
    return error{"variants of different backends cannot be compared", "name two variants of one backend"};
  return experiment(std::make_shared<const pair_definition>(original, std::array{*first, *second}));
}

}  // namespace ridge::app
