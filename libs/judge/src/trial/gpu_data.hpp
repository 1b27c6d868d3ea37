// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ridge/device/device.hpp>

#include "exchange/laid_out_device.hpp"
#include "trial/trial_data.hpp"

namespace ridge::judge {

// The data of variants on a GPU: memory of the GPU that both arms map. Data are drawn, poisoned and summed up
// there; what the arms wrote is copied within the GPU, and to the host only where it differs. `take` reads
// all results twice with a pause: what changes then was written by work that outlived its sample.
class gpu_data final : public trial_data {
 public:
  // Everything passed outlives it. Throws failure where the GPU refuses the memory.
  gpu_data(const assignment& given, harness::judged_data& source, const experiment& entry, const problem& p,
           device::device& gpu);

  [[nodiscard]] int inputs() const override { return inputs_->descriptor(); }
  [[nodiscard]] int outputs() const override { return outputs_->descriptor(); }
  void poison(std::size_t count) override;
  void read_inputs(std::size_t count) override;
  [[nodiscard]] std::string take(std::size_t arm, std::size_t count) override;
  [[nodiscard]] std::string disagreement(std::size_t count, tolerance within) override;
  [[nodiscard]] std::vector<std::byte> taken(std::size_t arm, std::size_t member) override;
  [[nodiscard]] std::string damage() override;
  [[nodiscard]] double reading_s(std::size_t arm) const override;

 private:
  void draw(std::size_t member) override;
  void paint();
  // The digests of these ranges, in order.
  [[nodiscard]] std::vector<std::uint64_t> digests_of(std::span<const std::span<std::byte>> ranges);
  [[nodiscard]] std::vector<std::size_t> differing(std::size_t count);
  [[nodiscard]] std::string disagreement_of(std::size_t member, tolerance within);

  const experiment& entry_;
  const problem& problem_;
  device::device& gpu_;
  std::unique_ptr<device::shared_range> inputs_, outputs_;
  laid_out_device arrays_;
  std::array<std::unique_ptr<device::array>, 2> copies_{};  // what each arm wrote
  std::array<std::uint64_t, 2> digests_{};                  // of that
  std::array<std::vector<double>, 2> readings_{};
  std::unique_ptr<device::array> guard_{};  // a painted guard
  std::uint64_t guard_digest_ = 0, inputs_digest_ = 0;
  std::vector<std::unique_ptr<harness::drawn_member>> members_{};
  std::mt19937_64 lots_;
};

}  // namespace ridge::judge
