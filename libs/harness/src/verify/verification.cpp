// SPDX-License-Identifier: Apache-2.0
#include "verify/verification.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

#include "child/in_child.hpp"
#include "data/compare_outputs.hpp"
#include "data/host_twin.hpp"
#include "plan/affinity_plan.hpp"
#include "plan/variant_resources.hpp"
#include "verify/gpu_watch.hpp"

namespace ridge::harness {

void fields(auto& visit, record_of<verification> auto& x) {
  visit("refused", x.refused);
  visit("skipped", x.skipped);
  visit("max_abs", x.max_abs);
  visit("max_rel", x.max_rel);
  visit("call_s", x.call_s);
  visit("against_oracle", x.against_oracle);
}

namespace {

constexpr double verification_limit_s = 120;
constexpr std::size_t verified_elements = 256;

// One variant on one guarded member, data set by data set.
class guarded_run {
 public:
  guarded_run(const experiment::definition& definition, std::size_t v, const problem& p,
              const instruments& equipment)
      : definition_(definition),
        v_(v),
        p_(p),
        equipment_(equipment),
        threads_(threads_of(definition.variants[v], p)),
        member_(make_member(definition, p, equipment, device::guard::pages, device::placement::ordinary)),
        queues_(queues_of(definition, v, *equipment.device)),
        resources_{*equipment.device, queues_.get(), plan_.team(threads_), threads_},
        setup_(resources_) {
    member_.poison_all();
    body_ = definition.bind(v, member_.get(), setup_);
  }

  void check_against(keyed_member& reference, verification& seen) {
    member_.copy_inputs_from(reference);
    definition_.stage(v_, member_.get(), setup_);
    member_.poison_outputs();
    member_.drop_files_from_cache();
    const auto before = member_.inputs_digest();
    call c(call_resources_of(definition_, ticks(), resources_));
    plan_.place(threads_);
    const double start = monotonic_seconds();
    body_->run(c, 1);
    equipment_.device->synchronize();
    seen.call_s = monotonic_seconds() - start;
    if (member_.inputs_digest() != before) seen.refused = "changed its inputs";
    if (seen.refused.empty()) seen.refused = member_.damage();
    if (seen.refused.empty()) compare(reference, seen);
  }

 private:
  static tick_source ticks() {
    return {[](void*) { return static_cast<std::uint64_t>(monotonic_seconds() * 1e9); }, nullptr, 1e-9};
  }

  void compare(const keyed_member& reference, verification& seen) {
    const auto within = definition_.within(v_, p_);
    output_difference difference;
    auto& seen_at = twin_.seen(member_).get();
    if (samples_elements(definition_, p_)) {
      const auto element = [&](std::size_t i) { return definition_.element(seen_at, i); };
      difference = compare_samples(seen_at.memory, element, within, member_.state().base, verified_elements);
      seen.against_oracle = true;
    } else if (definition_.has_oracle) {
      difference = compare_outputs(copy_results(seen_at.memory), reference.get().memory, within);
      seen.against_oracle = true;
    }
    seen.refused = difference.why;
    seen.max_abs = std::max(seen.max_abs, difference.max_abs);
    seen.max_rel = std::max(seen.max_rel, difference.max_rel);
    if (!seen.refused.empty() || !definition_.has_check) return;
    if (const auto checked = definition_.check(seen_at); !checked) seen.refused = checked.why().text();
  }

  const experiment::definition& definition_;
  std::size_t v_;
  const problem& p_;
  const instruments& equipment_;
  affinity_plan plan_;
  int threads_;
  keyed_member member_;
  host_twin twin_{definition_, p_, equipment_};
  std::unique_ptr<device::queue_set> queues_;
  setup_resources resources_;
  setup setup_;
  std::unique_ptr<bound_body> body_;
};

verification run_guarded(const experiment::definition& definition, std::size_t v, const problem& p,
                         const instruments& equipment, const std::vector<keyed_member*>& references) {
  verification seen;
  try {
    const gpu_watch gpus(*equipment.device, definition.variants[v].needs.gpus);
    guarded_run run(definition, v, p, equipment);
    for (auto* reference : references) {
      if (seen.refused.empty()) run.check_against(*reference, seen);
    }
    if (seen.refused.empty()) seen.refused = gpus.undeclared_use();
  } catch (const unavailable& missing) {
    seen.skipped = missing.why().text();
  } catch (const std::exception& thrown) {
    seen.refused = fmt::format("threw: {}", thrown.what());
  }
  return seen;
}

}  // namespace

bool samples_elements(const experiment::definition& definition, const problem& p) {
  const auto w = definition.work(p);
  return definition.has_element &&
         (!definition.has_oracle || std::max(w.flop, w.bytes()) > whole_oracle_up_to);
}

keyed_member make_member(const experiment::definition& definition, const problem& p,
                         const instruments& equipment, device::guard guard, device::placement placement) {
  return keyed_member(
      definition.make(p, memory(*equipment.device, guard, placement, equipment.scratch_folder)));
}

keyed_member make_host_member(const experiment::definition& definition, const problem& p,
                              const instruments& equipment) {
  auto on_host = equipment;
  if (equipment.host) on_host.device = equipment.host;
  return make_member(definition, p, on_host, device::guard::red_zones, device::placement::ordinary);
}

double expect(const experiment::definition& definition, const problem& p, keyed_member& reference) {
  if (!definition.has_oracle || samples_elements(definition, p)) return 0;
  const double start = monotonic_seconds();
  reference.restore_inouts();
  definition.oracle(reference.get());
  return monotonic_seconds() - start;
}

verification verify_variant(const experiment::definition& definition, std::size_t v, const problem& p,
                            const instruments& equipment, std::vector<keyed_member*> references) {
  // A GPU's context does not outlive a fork; a family on a GPU runs in a child as a whole.
  if (!equipment.device->on_host()) return run_guarded(definition, v, p, equipment, references);
  auto seen = in_child<verification>([&] { return run_guarded(definition, v, p, equipment, references); },
                                     verification_limit_s);
  return seen ? *seen.value : verification{.refused = seen.why};
}

}  // namespace ridge::harness
