// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/judged_data.hpp>

#include <random>

#include <ridge/base/expects.hpp>

#include "data/compare_outputs.hpp"
#include "data/keyed_member.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t judged_elements = 256;

result_bytes copied(std::span<const std::span<const std::byte>> results) {
  result_bytes all;
  for (const auto bytes : results) all.emplace_back(bytes.begin(), bytes.end());
  return all;
}

}  // namespace

struct judged_data::state {
  state(experiment stated, problem point, const instruments& equipment)
      : entry(std::move(stated)),
        p(std::move(point)),
        member(make_host_member(*entry, p, equipment)),
        by_oracle(entry->has_oracle && !samples_elements(*entry, p)) {}

  experiment entry;
  problem p;
  keyed_member member;
  bool by_oracle;
  std::random_device lots{};
};

std::uint64_t mixed_key(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return mix_keys(a, b, c); }

judged_data::judged_data(const experiment& entry, const problem& p, const instruments& equipment)
    : state_(std::make_unique<state>(entry, p, equipment)) {}
judged_data::~judged_data() = default;

const std::vector<array_record>& judged_data::arrays() const { return state_->member.get().memory.arrays(); }

void judged_data::draw(std::uint64_t key) { state_->member.rekey(key); }

std::string_view judged_data::method() const {
  if (state_->by_oracle) return "oracle";
  return state_->entry->has_element ? "elements" : "check";
}

void judged_data::compute_answers() {
  if (!state_->by_oracle) return;
  state_->member.restore_inouts();
  state_->entry->oracle(state_->member.get());
}

std::string judged_data::difference(std::span<const std::span<const std::byte>> results,
                                    std::size_t variant) {
  auto& s = *state_;
  auto& here = s.member.get();
  const auto within = s.entry->within(variant, s.p);
  const auto got = copied(results);
  if (s.by_oracle) {
    auto why = compare_outputs(got, here.memory, within).why;
    if (!why.empty() || !s.entry->has_check) return why;
  }
  const auto answers = copy_results(here.memory);
  put_results(got, here.memory);
  std::string why;
  if (!s.by_oracle && s.entry->has_element) {
    const auto element = [&](std::size_t i) { return s.entry->element(here, i); };
    why = compare_samples(here.memory, element, within, s.lots(), judged_elements).why;
  }
  if (why.empty() && s.entry->has_check) {
    if (const auto checked = s.entry->check(here); !checked) why = checked.why().text();
  }
  put_results(answers, here.memory);
  return why;
}

struct drawn_member::state {
  experiment entry;
  keyed_member member;
};

drawn_member::drawn_member(const experiment& entry, const problem& p, device::device& owner,
                           const std::string& scratch_folder)
    : state_(new state{entry,
                       keyed_member(entry->make(p, memory(owner, device::guard::red_zones,
                                                          device::placement::ordinary, scratch_folder)))}) {}
drawn_member::~drawn_member() = default;

void drawn_member::draw(std::uint64_t key) { state_->member.rekey(key); }

void drawn_member::reset() {
  state_->member.poison_outputs();
  state_->member.restore_inouts();
}

}  // namespace ridge::harness
