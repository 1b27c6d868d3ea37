// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/host/topology.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::hardware {
struct gpu;
struct processor;
}  // namespace ridge::hardware

namespace ridge::app {

// What the vendors state of this machine's processor and first GPU, from the catalogue of hardware.
class specified_limits final {
 public:
  // Asks the driver which GPU it is, where there is one.
  specified_limits();
  // Gives a row its specified value and source, where there are any and the row has none.
  void add_to(model::ceiling& row) const;

 private:
  host::topology machine_;
  const hardware::gpu* gpu_ = nullptr;              // of the catalogue; null: none, or not in it
  const hardware::processor* processor_ = nullptr;  // the same
};

}  // namespace ridge::app
