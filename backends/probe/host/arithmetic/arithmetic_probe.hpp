// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>

#include "arithmetic/arithmetic_kernels.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// A kernel on every thread of a sampler, some 0.4 ms at a time: shorter than a time slice, so that a busy
// machine leaves some samples whole.
class arithmetic_loop final {
 public:
  // Throws failure when the kernel computes a wrong value.
  arithmetic_loop(sampler& sampler, const arithmetic_kernel& kernel);
  timing step(sampler& sampler);
  // From now on all operands are zero.
  void clear();
  [[nodiscard]] double work() const;  // operations of one step, all threads
  // Throws failure when an accumulator is not a finite number.
  void check() const;

 private:
  timing turn(sampler& sampler, std::int64_t rounds);
  const arithmetic_kernel* kernel_;
  std::vector<operands> states_;
  std::int64_t rounds_ = 4096;
};

// The kernels this CPU runs, narrowest first; of tiles where the kernel of the system permits them.
[[nodiscard]] std::vector<const arithmetic_kernel*> runnable_kernels(number type, operation operation);
[[nodiscard]] std::vector<const arithmetic_kernel*> runnable_kernels(number type);

// How many of a kernel's instructions cores of this machine start in a cycle. Known from the instruction sets
// where those tell the core: hypervisors mask its name. Else the least of 1/16, 1/8, 1/4, 1/2, 1, 2, 3, 4
// that is not below what was seen, but for multiply-adds and dot products two at most, which is what x86-64
// cores have: a core with more that is held up otherwise then looks as if it had fewer, never the other way.
[[nodiscard]] double starts_per_cycle(const arithmetic_kernel& kernel, double seen_per_cycle);

// "cpu.fma.<type>.<isa>" for each kernel of a type and the best of them as "cpu.fma.<type>"; with `thorough`
// the figure on zeros beside it.
[[nodiscard]] std::vector<model::ceiling> probe_arithmetic(sampler& sampler, number type, bool thorough);
// The same for "cpu.fma_add.<type>".
[[nodiscard]] std::vector<model::ceiling> probe_multiply_and_add(sampler& sampler, number type);

[[nodiscard]] std::string_view name_of(number type);

}  // namespace ridge::backends::probe_host
