// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "exchange/shared_memory.hpp"
#include "trial/trial_data.hpp"

namespace ridge::judge {

// The data of variants on the processor: pages that both arms map. Throws io_failure where the machine
// refuses the memory.
class shared_data final : public trial_data {
 public:
  shared_data(const assignment& given, harness::judged_data& source);

  [[nodiscard]] int inputs() const override { return inputs_.descriptor(); }
  [[nodiscard]] int outputs() const override { return outputs_.descriptor(); }
  void poison(std::size_t count) override;
  void read_inputs(std::size_t count) override;
  [[nodiscard]] std::string take(std::size_t arm, std::size_t count) override;
  [[nodiscard]] std::string disagreement(std::size_t count, tolerance within) override;
  [[nodiscard]] std::vector<std::byte> taken(std::size_t arm, std::size_t member) override;
  [[nodiscard]] std::string damage() override;

 private:
  void draw(std::size_t member) override;

  shared_memory inputs_, outputs_;
  std::vector<std::byte> pristine_;  // the memory of outputs as drawn, where the workload has inouts
  std::array<std::vector<std::byte>, 2> copies_{};
};

}  // namespace ridge::judge
