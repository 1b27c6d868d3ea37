// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/device/queue_set.hpp>

namespace ridge {

// Queue `index` of GPU `gpu` among those that a variant declared; without `queues` there is one GPU with one
// null stream. Asking for more than declared is a bug of the variant.
[[nodiscard]] stream declared_queue(const device::queue_set* queues, int gpu, int index);

}  // namespace ridge
