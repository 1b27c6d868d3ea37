// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serving/decode_kernel.hpp"

namespace ridge::backends::probe_cuda {

// The greatest difference between the result of a decode call, which has run, and the same attention in
// double precision on the host, over the greatest result. Throws as gpu::check does.
[[nodiscard]] double decode_error(const decode_call& call);

}  // namespace ridge::backends::probe_cuda
