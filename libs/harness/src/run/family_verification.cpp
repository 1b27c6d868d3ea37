// SPDX-License-Identifier: Apache-2.0
#include "run/family_verification.hpp"

#include <algorithm>
#include <cmath>

#include "data/compare_outputs.hpp"
#include "run/progress_mark.hpp"
#include "run/refusal.hpp"
#include "verify/gpu_watch.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

// The root mean square of the error over that of what was expected.
std::optional<double> rms_error_of(const verification& seen) {
  if (seen.compared == 0) return std::nullopt;
  if (seen.squared_error == 0) return 0;
  const double ratio = seen.squared_error / seen.squared_expected;
  return std::isfinite(ratio) ? std::optional(std::sqrt(ratio)) : std::nullopt;  // of squares beyond doubles
}

constexpr std::size_t data_sets = 2;

void make_family_rings(family_state& family) {
  std::vector<device::placement> placements;
  for (std::size_t i = 0; i < family.variants.size(); ++i) {
    if (can_be_timed(family.result.measurements[i]))
      placements.push_back(family.definition.variants[family.variants[i]].placement);
  }
  family.members =
      make_rings(family.definition, family.planned.problem, family.equipment, std::move(placements));
  family.array_bytes = static_cast<double>(member_bytes(family.members));
}

// Two members in host memory with their data and the oracle's answers: ring members, or others where the
// rings lie elsewhere. No body has run in this process when they are made. Where elements are sampled on a
// device that draws data itself, keys are enough: gigabytes need not be drawn here and sent there.
class verified_data {
 public:
  explicit verified_data(family_state& family) {
    const auto key_of = [&](std::size_t i) {
      return mix_keys(family.options.protocol.seed, 0x766572, i + 1);
    };
    answers_.reserve(data_sets);  // data sets point to them
    if (!family.equipment.device->on_host() && samples_elements(family.definition, family.planned.problem)) {
      for (std::size_t i = 0; i < data_sets; ++i)
        all_.push_back({nullptr, &answers_.emplace_back(), key_of(i)});
      return;
    }
    if (family.equipment.device->on_host()) {
      for (auto& member : family.members.begin()->second) {
        if (members_.size() < data_sets) members_.push_back(&member);
      }
    } else {
      for (std::size_t i = 0; i < data_sets; ++i)
        twins_.push_back(make_host_member(family.definition, family.planned.problem, family.equipment));
      for (auto& twin : twins_) members_.push_back(&twin);
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
      members_[i]->rekey(key_of(i));
      members_[i]->poison_outputs();
      answers_.push_back(
          answers_to(family.definition, family.planned.problem, family.equipment, *members_[i]));
      all_.push_back({members_[i], &answers_.back(), key_of(i)});
    }
  }
  [[nodiscard]] const std::vector<data_set>& all() const { return all_; }
  // The least time that the oracle took; 0 where it was not run.
  [[nodiscard]] double oracle_s() const {
    return std::ranges::min_element(answers_, {}, &oracle_answers::seconds)->seconds();
  }

 private:
  std::vector<keyed_member> twins_{};
  std::vector<keyed_member*> members_{};
  std::vector<oracle_answers> answers_{};
  std::vector<data_set> all_{};
};

void verify_against(family_state& family, std::size_t measurement, const verified_data& data) {
  auto& m = family.result.measurements[measurement];
  if (!can_be_timed(m)) return;
  const auto variant = family.variants[measurement];
  auto* progress = family.equipment.device->on_host() ? nullptr : family.equipment.progress;
  const variant_at_work at_work(progress, progress_mark::stage::verification, variant);
  verification_watch device_around(*family.equipment.device);
  const auto seen = verify_variant(family.definition, variant, family.planned.problem, family.equipment,
                                   data.all(), family.guarded, untimed_limit_s(family.options));
  m.skipped = seen.skipped;
  constexpr auto here = progress_mark::stage::verification;
  refuse(m, {seen.refused, seen.failure, seen.signal}, here);
  if (seen.refused.empty()) refuse(m, {device_around.left_running()}, here);
  if (!m.refused.empty()) device_around.expect_answer(m.refused);
  family.kept_bytes.resize(family.variants.size());
  family.kept_bytes[measurement] = device_around.kept_bytes();
  m.max_abs_error = seen.max_abs;
  m.max_rel_error = seen.max_rel;
  m.rms_error = rms_error_of(seen);
  if (family.equipment.progress) family.equipment.progress->took(seen.call_s);
  family.compared = std::max(family.compared, seen.compared);
  const auto& answers = data.all().front().answers->results();
  if (can_be_timed(m) && !answers.empty() &&
      accepts_zeros(data.all().front().inputs->get().memory, answers,
                    family.definition.within(variant, family.planned.problem)))
    refuse(m, {"its tolerance accepts an output of zeros: state a tighter .within"}, here);
}

}  // namespace

bool verify(family_state& family) {
  if (!std::ranges::any_of(family.result.measurements, can_be_timed)) {
    family.result.skipped = "no variant of this backend can run here";
    return false;
  }
  make_family_rings(family);
  const verified_data data(family);
  family.oracle_s = data.oracle_s();
  for (std::size_t i = 0; i < family.variants.size(); ++i) verify_against(family, i, data);
  return std::ranges::any_of(family.result.measurements, can_be_timed);
}

void verify_one(family_state& family, std::size_t measurement) {
  if (!can_be_timed(family.result.measurements[measurement])) return;
  make_family_rings(family);
  verify_against(family, measurement, verified_data(family));
}

}  // namespace ridge::harness
