// SPDX-License-Identifier: Apache-2.0
#include "verify/verification.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

#include "child/in_child.hpp"
#include "child/stepped_child.hpp"
#include "data/compare_outputs.hpp"
#include "data/host_twin.hpp"
#include "verify/called_variant.hpp"
#include "verify/gpu_watch.hpp"

namespace ridge::harness {

// Why a verifying child came to no end. Nothing good that it says of itself is believed.
struct failed_verification {
  std::string refused{}, skipped{};
  bool threw = false, no_memory = false;  // what refused it is an exception, and one of memory
};

void fields(auto& visit, record_of<failed_verification> auto& x) {
  visit("refused", x.refused);
  visit("skipped", x.skipped);
  visit("threw", x.threw);
  visit("no_memory", x.no_memory);
}

namespace {

model::failure_kind kind_of(const failed_verification& failed) {
  if (failed.no_memory) return model::failure_kind::out_of_memory;
  return failed.threw ? model::failure_kind::threw : model::failure_kind::wrong_output;
}

failed_verification failed_by(const std::exception& thrown) {
  const auto end = thrown_end_of(thrown);
  const bool no_memory = end.failure == model::failure_kind::out_of_memory;
  return {.refused = no_memory ? end.why : "threw: " + end.why, .threw = !no_memory, .no_memory = no_memory};
}

constexpr std::size_t verified_elements = 256;

// One call on the member's data as they are now.
void call_on_data(called_variant& variant, keyed_member& member) {
  variant.stage();
  member.poison_outputs();
  member.drop_files_from_cache();
  variant.run();
}

// Judges what a call left in the guarded member.
class output_judge {
 public:
  output_judge(const experiment::definition& definition, std::size_t v, const problem& p,
               const instruments& equipment, keyed_member& member)
      : definition_(definition),
        point_(p),
        within_(definition.within(v, p)),
        member_(member),
        twin_(definition, p, equipment) {}

  // Puts the inputs of the data set into the member, and poison into its outputs.
  void put(const data_set& data) {
    if (data.inputs != nullptr) {
      member_.copy_inputs_from(*data.inputs);
    } else {
      member_.rekey(data.key);
    }
    member_.poison_outputs();
    inputs_ = member_.inputs_digest();
  }
  // Adds what a call on them has left.
  void judge(const data_set& data, verification& seen) {
    if (member_.inputs_digest() != inputs_) seen.refused = "changed its inputs";
    if (seen.refused.empty()) seen.refused = member_.damage();
    if (seen.refused.empty()) compare(data, seen);
  }

 private:
  void compare(const data_set& data, verification& seen) {
    output_difference difference;
    auto& seen_at = twin_.seen(member_).get();
    if (samples_elements(definition_, point_)) {
      const auto element = [&](std::size_t i) { return definition_.element(seen_at, i); };
      difference = compare_samples(seen_at.memory, element, within_, member_.state().base, verified_elements);
      seen.against_oracle = true;
    } else if (definition_.has_oracle) {
      const results_in_place left(seen_at.memory);
      difference = compare_outputs(left.views(), seen_at.memory, data.answers->results(), within_);
      seen.against_oracle = true;
    }
    seen.refused = difference.why;
    seen.max_abs = std::max(seen.max_abs, difference.max_abs);
    seen.max_rel = std::max(seen.max_rel, difference.max_rel);
    seen.squared_error += difference.squared_error;
    seen.squared_expected += difference.squared_expected;
    seen.compared += difference.compared;
    if (!seen.refused.empty() || !definition_.has_check) return;
    if (const auto checked = definition_.check(seen_at); !checked) seen.refused = checked.why().text();
  }

  const experiment::definition& definition_;
  const problem& point_;
  tolerance within_;
  keyed_member& member_;
  host_twin twin_;
  std::uint64_t inputs_ = 0;
};

// A GPU's context does not outlive a fork; a family on a GPU runs in a child as a whole.
verification verify_here(const experiment::definition& definition, std::size_t v, const problem& p,
                         const instruments& equipment, const std::vector<data_set>& data) {
  verification seen;
  try {
    const gpu_watch gpus(*equipment.device, definition.variants[v].needs.gpus);
    auto member = make_member(definition, p, equipment, device::guard::pages, device::placement::ordinary);
    member.poison_all();
    called_variant variant(definition, v, p, equipment, member);
    variant.bind();
    output_judge judge(definition, v, p, equipment, member);
    for (const auto& one : data) {
      if (!seen.refused.empty()) break;
      judge.put(one);
      call_on_data(variant, member);
      judge.judge(one, seen);
    }
    if (seen.refused.empty()) seen.refused = gpus.undeclared_use();
  } catch (const unavailable& missing) {
    seen.skipped = missing.why().text();
  } catch (const std::exception& thrown) {
    const auto failed = failed_by(thrown);
    seen.refused = failed.refused;
    seen.failure = kind_of(failed);
  }
  return seen;
}

// What the child does: it binds the body, and calls it whenever the parent has put data in place.
std::string verify_in_steps(const experiment::definition& definition, std::size_t v, const problem& p,
                            const instruments& equipment, keyed_member& member, std::size_t calls,
                            const stepped_child::next_step& next) {
  failed_verification failed;
  try {
    const gpu_watch gpus(*equipment.device, definition.variants[v].needs.gpus);
    called_variant variant(definition, v, p, equipment, member);
    variant.bind();
    for (std::size_t i = 0; i < calls; ++i) {
      next();
      call_on_data(variant, member);
    }
    next();
    failed.refused = gpus.undeclared_use();
  } catch (const unavailable& missing) {
    failed.skipped = missing.why().text();
  } catch (const std::exception& thrown) {
    failed = failed_by(thrown);
  }
  return encode(failed);
}

// Why a child ended before its time.
verification ended(const host::finished_child& done, const memory_watch& memory) {
  const auto told = decode<failed_verification>(done.output);
  const bool spoke = succeeded(done.outcome) && told && !(told->refused.empty() && told->skipped.empty());
  if (spoke) return {.refused = told->refused, .failure = kind_of(*told), .skipped = told->skipped};
  const auto end = silent_end_of(done.outcome, memory);
  return {.refused = end.why, .failure = end.failure, .signal = end.signal};
}

// Runs the variant in a child on the guarded member and judges what it leaves there.
verification judged_from_outside(const experiment::definition& definition, std::size_t v, const problem& p,
                                 const instruments& equipment, const std::vector<data_set>& data,
                                 keyed_member& member, double limit_s) {
  member.poison_all();
  const memory_watch memory;
  stepped_child child([&](const stepped_child::next_step& next) {
    return verify_in_steps(definition, v, p, equipment, member, data.size(), next);
  });
  if (!child.waits(limit_s)) return ended(child.finish(limit_s), memory);
  output_judge judge(definition, v, p, equipment, member);
  verification seen;
  for (const auto& one : data) {
    judge.put(one);
    const double start = monotonic_seconds();
    child.proceed();
    if (!child.waits(limit_s)) return ended(child.finish(limit_s), memory);
    seen.call_s = std::max(seen.call_s, monotonic_seconds() - start);
    judge.judge(one, seen);
    if (!seen.refused.empty()) return seen;
  }
  const auto done = child.finish(limit_s);
  const auto told = decode<failed_verification>(done.output);
  if (!succeeded(done.outcome) || !told) return ended(done, memory);
  seen.refused = told->refused;
  seen.failure = kind_of(*told);
  return seen;
}

verification verify_in_child(const experiment::definition& definition, std::size_t v, const problem& p,
                             const instruments& equipment, const std::vector<data_set>& data,
                             guarded_arrays& arrays, double limit_s) {
  auto seen = judged_from_outside(definition, v, p, equipment, data, arrays.member(), limit_s);
  if (!seen.refused.empty()) arrays.discard();
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

oracle_answers answers_to(const experiment::definition& definition, const problem& p,
                          const instruments& equipment, keyed_member& member) {
  if (!definition.has_oracle || samples_elements(definition, p)) return {};
  return equipment.device->on_host() ? oracle_answers::of_a_child(definition, member)
                                     : oracle_answers::of_this_process(definition, member);
}

verification verify_variant(const experiment::definition& definition, std::size_t v, const problem& p,
                            const instruments& equipment, const std::vector<data_set>& data,
                            guarded_arrays& arrays, double limit_s) {
  return equipment.device->on_host() ? verify_in_child(definition, v, p, equipment, data, arrays, limit_s)
                                     : verify_here(definition, v, p, equipment, data);
}

}  // namespace ridge::harness
