// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config_members.hpp"

namespace ridge::plan {

struct weight_storage {
  std::string format{"bf16"};
  bool experts_only = false;
  std::string others{"bf16"};
};

// Reads the weight format from quantization_config (fp8, mxfp4, awq, gptq, compressed-tensors, modelopt,
// bitsandbytes) or the dtype.
[[nodiscard]] weight_storage read_weight_storage(const config_members& m);

}  // namespace ridge::plan
