// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <ridge/harness/experiment.hpp>

namespace ridge {

// A member that holds the workload itself.
template <class Workload>
class typed_member final : public member {
 public:
  // Its workload is set once it is made from `memory`.
  explicit typed_member(ridge::memory m) : member(std::move(m)) {}
  Workload workload{};
};

// The definition made from what an author states.
template <class Workload>
class typed_experiment final : public experiment::definition {
 public:
  // Bugs: those of the constructor of `experiment`.
  explicit typed_experiment(experiment_of<Workload> stated) : stated_(std::move(stated)) {
    id = stated_.id, title = stated_.title, question = stated_.question;
    answers = stated_.answers, tags = stated_.tags;
    for (const auto& p : stated_.phases) phases.emplace_back(p.name);
    for (const auto& o : stated_.observed) observed.emplace_back(o.name);
    axes = stated_.axes, metrics = stated_.metrics;
    const auto is_time = [](const metric& m) { return m.reading == reading::time; };
    if (std::ranges::none_of(metrics, is_time)) metrics.push_back(time_per_call());  // always recorded
    cold = stated_.cold, informational = stated_.informational;
    code = stated_.code;
    has_cuda = stated_.cuda != nullptr;
    has_oracle = bool(stated_.oracle), has_element = bool(stated_.element), has_check = bool(stated_.check);
    if (stated_.cpu) append(stated_.cpu(), model::backend::cpu);
    if (stated_.cuda) append(stated_.cuda(), model::backend::cuda);
    resolve_handles(*this);
  }

  bool skips(const problem& p) const override { return stated_.skip && stated_.skip(p); }
  std::unique_ptr<member> make(const problem& p, ridge::memory m) const override {
    auto made = std::make_unique<typed_member<Workload>>(std::move(m));
    made->workload = stated_.make(p, made->memory);
    return made;
  }
  ridge::work work(const problem& p) const override {
    if (!stated_.work) return {};
    return stated_.work(p);
  }
  double traffic(std::size_t v, const problem& p) const override {
    return ladder_[v].traffic ? ladder_[v].traffic(p) : work(p).bytes();
  }
  tolerance within(std::size_t v, const problem& p) const override {
    return (ladder_[v].within ? *ladder_[v].within : stated_.within)(p);
  }
  void oracle(member& m) const override { stated_.oracle(of(m)); }
  double element(const member& m, std::size_t i) const override { return stated_.element(of(m), i); }
  result<void> check(const member& m) const override { return stated_.check(of(m)); }
  std::unique_ptr<bound_body> bind(std::size_t v, member& m, setup& s) const override {
    return ladder_[v].run(of(m), s);
  }
  void stage(std::size_t v, member& m, setup& s) const override {
    if (ladder_[v].stage) ladder_[v].stage(of(m), s);
  }

 private:
  static Workload& of(member& m) { return static_cast<typed_member<Workload>&>(m).workload; }
  static const Workload& of(const member& m) {
    return static_cast<const typed_member<Workload>&>(m).workload;
  }
  void append(ladder<Workload> list, model::backend backend) {
    for (auto& v : list) {
      variants.push_back({.name = v.name,
                          .is = v.is,
                          .backend = backend,
                          .idea = v.idea,
                          .needs = v.needs,
                          .threads = v.threads,
                          .arithmetic = v.arithmetic,
                          .multiplied = v.emulation.value_or(emulation{v.arithmetic, 1}),
                          .placement = v.placement,
                          .pedagogy = v.pedagogy,
                          .stages = bool(v.stage),
                          .states_traffic = bool(v.traffic),
                          .traffic_reason = v.traffic_reason,
                          .tolerance_reason = v.tolerance_reason,
                          .stage_reason = v.stage_reason,
                          .explanation = v.explanation,
                          .code = v.code});
      ladder_.push_back(std::move(v));
    }
  }

  experiment_of<Workload> stated_;
  ladder<Workload> ladder_;
};

template <class Workload>
experiment::experiment(experiment_of<Workload> stated)
    : definition_(std::make_shared<const typed_experiment<Workload>>(std::move(stated))) {}

}  // namespace ridge
