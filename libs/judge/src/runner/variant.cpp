// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <ridge/harness/session.hpp>
#include <ridge/host/team.hpp>

#include "exchange/laid_out_device.hpp"
#include "exchange/layout.hpp"
#include "runner/arm.hpp"
#include "runner/shared_arrays.hpp"

namespace ridge::judge {
namespace {

model::axis_value value_of(const parameter_place& place) {
  if (place.kind == ridge_integer) return place.integer;
  if (place.kind == ridge_real) return place.real;
  return text_of(place.text);
}

problem problem_of(const assignment& given) {
  model::problem_point point;
  for (std::size_t i = 0; i < given.parameter_count; ++i)
    point.emplace_back(text_of(given.parameters[i].name), value_of(given.parameters[i]));
  return problem(std::move(point));
}

tick_source ticks_of_runner() {
  return {[](void*) { return static_cast<std::uint64_t>(harness::monotonic_seconds() * 1e9); }, nullptr,
          1e-9};
}

// The device that hands the members of a workload their arrays.
class arrays_of_members final {
 public:
  arrays_of_members(const assignment& given, const runner_memory& mapped) {
    if (mapped.gpu != nullptr) {
      on_gpu_.emplace(*mapped.gpu, given, mapped.inputs, mapped.outputs, more_arrays::shared);
    } else {
      on_host_.emplace(given, mapped.inputs, mapped.outputs);
    }
  }
  void begin_member(std::size_t member) {
    if (on_gpu_) on_gpu_->begin_member(member);
    if (on_host_) on_host_->begin_member(member);
  }
  [[nodiscard]] device::device& get() {
    if (on_gpu_) return *on_gpu_;
    return *on_host_;
  }

 private:
  std::optional<laid_out_device> on_gpu_{};
  std::optional<shared_arrays> on_host_{};
};

class variant_arm final : public arm {
 public:
  variant_arm(const assignment& given, const experiment& entry, const runner_memory& mapped,
              const problem_table& problems)
      : given_(given),
        entry_(entry),
        problem_(problem_of(given)),
        device_(given, mapped),
        first_(problems.problems().data()),
        threads_(static_cast<int>(given.threads)) {}

  void load(const std::string&) override {
    if (threads_ > 1) team_.emplace(host::team::of_cores(threads_));
    queues_ = device_.get().make_queues(1, std::max(1, entry_->variants[given_.variant].needs.queues));
    resources_.emplace(setup_resources{device_.get(), queues_.get(), team(), threads_});
    call_.emplace(call_resources{.clock = ticks_of_runner(),
                                 .team = team(),
                                 .threads = threads_,
                                 .queues = queues_.get(),
                                 .phases = entry_->phases,
                                 .observed = entry_->observed});
  }

  void bind(std::size_t count) override {
    while (bodies_.size() < count) {
      device_.begin_member(bodies_.size());
      members_.push_back(entry_->make(
          problem_, memory(device_.get(), device::guard::red_zones, device::placement::ordinary, "/tmp")));
      setups_.push_back(std::make_unique<setup>(*resources_));
      bodies_.push_back(entry_->bind(given_.variant, *members_.back(), *setups_.back()));
    }
    device_.get().synchronize();
  }

  void begin_sample() override { call_->clear(); }

  [[nodiscard]] body called() override { return {run_member, enqueue_member, this}; }

 private:
  static int run_member(const ridge_problem* problem, void* self) {
    auto& here = *static_cast<variant_arm*>(self);
    here.bodies_[static_cast<std::size_t>(problem - here.first_)]->run(*here.call_, 1);
    return 0;
  }
  static int enqueue_member(const ridge_problem* problem, void*, void* self) {
    return run_member(problem, self);
  }
  host::team* team() { return team_ ? &*team_ : nullptr; }

  const assignment& given_;
  experiment entry_;
  problem problem_;
  arrays_of_members device_;
  const ridge_problem* first_;
  int threads_;
  std::optional<host::team> team_{};
  std::unique_ptr<device::queue_set> queues_{};
  std::optional<setup_resources> resources_{};
  std::optional<call> call_{};
  std::vector<std::unique_ptr<member>> members_{};
  std::vector<std::unique_ptr<setup>> setups_{};
  std::vector<std::unique_ptr<bound_body>> bodies_{};
};

}  // namespace

std::unique_ptr<arm> make_variant(const assignment& given, const experiment& entry,
                                  const runner_memory& memory, const problem_table& problems) {
  return std::make_unique<variant_arm>(given, entry, memory, problems);
}

}  // namespace ridge::judge
