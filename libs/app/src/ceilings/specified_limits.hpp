// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/host/topology.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::hardware {
struct gpu;
struct processor;
}  // namespace ridge::hardware

namespace ridge::app {

// The values that vendors state for the processor and the first GPU of this machine, from the catalogue of
// hardware.
class specified_limits final {
 public:
  // Asks the driver for the model of the GPU, where there is one.
  specified_limits();
  // Gives a row its specified value and source, where there are any and the row has none.
  void add_to(model::ceiling& row) const;

 private:
  host::topology machine_;
  const hardware::gpu* gpu_ = nullptr;  // entry of the catalogue; null: no GPU, or not in the catalogue
  const hardware::processor* processor_ = nullptr;  // the same
};

}  // namespace ridge::app
