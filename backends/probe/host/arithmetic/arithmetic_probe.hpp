// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>

#include "arithmetic/arithmetic_kernels.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// A kernel on every thread of a sampler, about 0.4 ms at a time: shorter than a time slice, so that a busy
// machine leaves some samples undisturbed.
class arithmetic_loop final {
 public:
  // Throws failure when the kernel computes a wrong value.
  arithmetic_loop(sampler& sampler, const arithmetic_kernel& kernel);
  timing step(sampler& sampler);
  // Sets all operands to zero for all later steps.
  void clear();
  [[nodiscard]] double work() const;  // operations of one step on all threads
  // Throws failure when an accumulator is not a finite number.
  void check() const;

 private:
  timing turn(sampler& sampler, std::int64_t rounds);
  const arithmetic_kernel* kernel_;
  std::vector<operands> states_;
  std::int64_t rounds_ = 4096;
};

// Returns the kernels that this CPU can run, the narrowest first; tiles only where the kernel of the system
// permits them.
[[nodiscard]] std::vector<const arithmetic_kernel*> runnable_kernels(number type, operation operation);
[[nodiscard]] std::vector<const arithmetic_kernel*> runnable_kernels(number type);

// Returns how many instructions of a kernel the cores of this machine start per cycle. It is known from the
// instruction sets where those tell the core, since hypervisors hide its name. Else it is the least of 1/16,
// 1/8, 1/4, 1/2, 1, 2, 3, 4 that is not below the measured number, but at most two for multiply-adds and dot
// products, which is what x86-64 cores have: a core with more that is limited otherwise then seems to have
// fewer, never the other way round.
[[nodiscard]] double starts_per_cycle(const arithmetic_kernel& kernel, double seen_per_cycle);

// Returns "cpu.fma.<type>.<isa>" for each kernel of a type and the best of them as "cpu.fma.<type>"; with
// `thorough` also the value on zeros.
[[nodiscard]] std::vector<model::ceiling> probe_arithmetic(sampler& sampler, number type, bool thorough);
// Returns the same for "cpu.fma_add.<type>".
[[nodiscard]] std::vector<model::ceiling> probe_multiply_and_add(sampler& sampler, number type);

[[nodiscard]] std::string_view name_of(number type);

}  // namespace ridge::backends::probe_host
