// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/kernel_times.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/vision.hpp>

namespace ridge::plan::kernels {

// Seconds in which the tower of the request's model encodes so many images of one size together, on the
// tensor ranks that divide it: products, attention and all-reduces of its layers, projections, and, with
// cross-attention, keys and values of the decoder's layers. Rates are those of the kernels of language
// models; towers run outside CUDA graphs, so that the time is at least that of their launches. Resizing and
// normalizing on the CPU is not in it.
[[nodiscard]] double encode_seconds(const step_request& request, const kernel_times& kernels,
                                    const image_patches& image, std::int64_t images);

}  // namespace ridge::plan::kernels
