// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ridge::peers {

// The work that every rule times: the same code on the same data as both arms, so that there is no difference
// to find.
class workload {
 public:
  virtual ~workload() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  virtual void run(std::uint64_t calls) = 0;
};

[[nodiscard]] std::unique_ptr<workload> register_bound();  // a chain of integer operations, about 2 µs
// target = source / 2 over `bytes` of both arrays together.
[[nodiscard]] std::unique_ptr<workload> array_pass(std::string name, std::size_t bytes);

// register, cache (400 KiB) and memory (64 MiB).
[[nodiscard]] std::vector<std::unique_ptr<workload>> workloads();

}  // namespace ridge::peers
