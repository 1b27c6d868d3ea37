// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/body.hpp>
#include <ridge/harness/code_facts.hpp>
#include <ridge/harness/memory.hpp>
#include <ridge/harness/metric.hpp>
#include <ridge/harness/phase.hpp>
#include <ridge/harness/problem.hpp>
#include <ridge/harness/variant.hpp>
#include <ridge/harness/work.hpp>
#include <ridge/harness/workload.hpp>
#include <ridge/model/catalogue.hpp>

namespace ridge {

// A question with one shared workload, as its author states it. `make` is called once per member of the input
// ring. At least one of `oracle` and `check` is compulsory.
template <class Workload>
struct experiment_of {
  std::string id{};
  std::string title{};
  std::string question{};
  std::vector<std::string> answers{};  // the points of the specification that it answers
  std::vector<std::string> tags{};
  std::vector<axis> axes{};
  std::function<bool(const problem&)> skip{};  // leaves a point of the product out
  std::function<Workload(const problem&, memory&)> make{};
  std::function<ridge::work(const problem&)> work{};
  std::function<void(Workload&)> oracle{};  // fills the outputs of a host twin, accumulating in double
  std::function<double(const Workload&, std::size_t)>
      element{};                                         // recomputes one element of the first output
  std::function<result<void>(const Workload&)> check{};  // checks a property of all outputs
  tolerance_rule within{exact()};
  std::vector<metric> metrics{time_per_call()};
  std::vector<phase> phases{};         // phases that bodies mark
  std::vector<observable> observed{};  // durations that bodies observe
  bool cold = false;                   // the ring exceeds twice the last-level cache, or has 4096 members
  bool informational = false;          // teaches; claims no gain
  ladder_of<Workload> cpu{};
  ladder_of<Workload> cuda{};
  // How the object that states the experiment was compiled. Nobody states it: the compiler does.
  code_facts code = code_of_this_object(__builtin_FILE());
};

// A workload with the memory it was made from.
class member {
 public:
  // Takes over the arrays of the workload.
  explicit member(ridge::memory m) : memory(std::move(m)) {}
  virtual ~member() = default;
  ridge::memory memory;
};

// What the harness knows about a variant without its workload's type.
struct variant_facts {
  std::string name{};
  model::role is{model::role::optimized};
  model::backend backend{model::backend::cpu};
  std::string idea{};
  ridge::needs needs{};
  int threads = 1;
  ridge::arithmetic arithmetic{ridge::arithmetic::fp32};
  ridge::emulation multiplied{};  // what the machine multiplies: of `arithmetic`, unless it is emulated
  device::placement placement{device::placement::ordinary};
  bool pedagogy = false;
  bool stages = false;
  bool states_traffic = false;
  std::string traffic_reason{}, tolerance_reason{}, stage_reason{}, explanation{};
  code_facts code{};
};

// An experiment without its workload's type. Copies share the definition.
class experiment {
 public:
  class definition {
   public:
    virtual ~definition() = default;
    std::string id{}, title{}, question{};
    std::vector<std::string> answers{}, tags{}, phases{}, observed{};
    std::vector<axis> axes{};
    std::vector<metric> metrics{};
    std::vector<variant_facts> variants{};
    bool cold = false, informational = false;
    bool has_cuda = false, has_oracle = false, has_element = false, has_check = false;
    code_facts code{};

    [[nodiscard]] virtual bool skips(const problem& p) const = 0;
    [[nodiscard]] virtual std::unique_ptr<member> make(const problem& p, ridge::memory m) const = 0;
    [[nodiscard]] virtual ridge::work work(const problem& p) const = 0;
    [[nodiscard]] virtual double traffic(std::size_t variant, const problem& p) const = 0;
    [[nodiscard]] virtual tolerance within(std::size_t variant, const problem& p) const = 0;
    virtual void oracle(member& m) const = 0;
    [[nodiscard]] virtual double element(const member& m, std::size_t index) const = 0;
    [[nodiscard]] virtual result<void> check(const member& m) const = 0;
    [[nodiscard]] virtual std::unique_ptr<bound_body> bind(std::size_t variant, member& m,
                                                           setup& s) const = 0;
    virtual void stage(std::size_t variant, member& m, setup& s) const = 0;
  };

  // Bug: a metric that names a phase or observable that is not listed, or one that is listed twice or without
  // a name.
  template <class Workload>
  experiment(experiment_of<Workload> stated);  // implicit: `return experiment_of<workload>{...};`
  explicit experiment(std::shared_ptr<const definition> made) : definition_(std::move(made)) {}

  [[nodiscard]] const definition& operator*() const { return *definition_; }
  [[nodiscard]] const definition* operator->() const { return definition_.get(); }
  // The product of the axes without the points that `skip` leaves out.
  [[nodiscard]] std::vector<problem> problems() const;
  // What results keep of the experiment: its texts, axes, metrics, phases and variants.
  [[nodiscard]] model::experiment_description description() const;

 private:
  std::shared_ptr<const definition> definition_;
};

// Finds the phase or observable of each metric among those that the experiment lists. The same bugs as of the
// constructor of `experiment`.
void resolve_handles(experiment::definition& stated);

// The oracle that computes each element of the output `target` as `element` does:
// .oracle = each_element(&workload::target, expected), .element = expected.
template <class Workload, class T>
[[nodiscard]] auto each_element(output<T> Workload::*target,
                                double (*element)(const Workload&, std::size_t)) {
  return [target, element](Workload& w) {
    for (std::size_t i = 0; i < (w.*target).size(); ++i) {
      if constexpr (std::is_integral_v<T>) {
        (w.*target)[i] = static_cast<T>(element(w, i));
      } else {
        (w.*target)[i] = T(as_float(element(w, i)));
      }
    }
  };
}

// One experiment per element type under one id, `dtype` being an axis like any other (decision 0021).
template <class... Types, class F>
[[nodiscard]] std::vector<experiment> over(F make_for) {
  std::vector<experiment> all;
  (all.push_back(make_for.template operator()<Types>()), ...);
  return all;
}

}  // namespace ridge

#include <ridge/harness/typed_experiment.hpp>  // IWYU pragma: export
