// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Texts of quantities for the inputs of a derivation.
namespace ridge::plan {

// All digits, without a prefix: "40802189312 B".
[[nodiscard]] std::string exact_bytes(double bytes);
// Four digits with a binary prefix: "40.00 GiB".
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace ridge::plan
