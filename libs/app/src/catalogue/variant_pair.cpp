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

// Two variants of another definition under new numbers; everything else is that definition's.
class pair_definition final : public experiment::definition {
 public:
  pair_definition(experiment of, std::array<std::size_t, 2> chosen) : of_(std::move(of)), chosen_(chosen) {
    static_cast<facts&>(*this) = *of_;
    variants = {of_->variants[chosen[0]], of_->variants[chosen[1]]};
    variants[0].is = model::role::baseline;
    variants[1].is = model::role::optimized;
    informational = false;
  }
  bool skips(const problem& p) const override { return of_->skips(p); }
  std::unique_ptr<member> make(const problem& p, ridge::memory m) const override {
    return of_->make(p, std::move(m));
  }
  ridge::work work(const problem& p) const override { return of_->work(p); }
  double traffic(std::size_t v, const problem& p) const override { return of_->traffic(chosen_[v], p); }
  tolerance within(std::size_t v, const problem& p) const override { return of_->within(chosen_[v], p); }
  void oracle(member& m) const override { of_->oracle(m); }
  double element(const member& m, std::size_t i) const override { return of_->element(m, i); }
  result<void> check(const member& m) const override { return of_->check(m); }
  std::unique_ptr<bound_body> bind(std::size_t v, member& m, setup& s) const override {
    return of_->bind(chosen_[v], m, s);
  }
  void stage(std::size_t v, member& m, setup& s) const override { of_->stage(chosen_[v], m, s); }

 private:
  using facts = experiment::definition;
  experiment of_;
  std::array<std::size_t, 2> chosen_;
};

result<std::size_t> index_of(const experiment& of, const std::string& variant) {
  const auto found = std::ranges::find(of->variants, variant, &variant_facts::name);
  if (found != of->variants.end()) return static_cast<std::size_t>(found - of->variants.begin());
  std::vector<std::string> names;
  for (const auto& v : of->variants) names.push_back(v.name);
  return unknown_name("variant of " + of->id, variant, names, "see `ridge show ID`");
}

}  // namespace

variant_address parse_address(std::string_view text) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  return {normal_target(name), colon == std::string_view::npos ? "" : std::string(text.substr(colon + 1))};
}

result<experiment> only_pair(const experiment& of, const std::string& reference,
                             const std::string& candidate) {
  const auto first = index_of(of, reference), second = index_of(of, candidate);
  if (!first) return first.why();
  if (!second) return second.why();
  if (*first == *second) return error{"a variant compared with itself says nothing", "name two variants"};
  if (of->variants[*first].backend != of->variants[*second].backend)
    return error{"variants of different backends are never compared", "name two variants of one backend"};
  return experiment(std::make_shared<const pair_definition>(of, std::array{*first, *second}));
}

}  // namespace ridge::app
