// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/device/queue_set.hpp>

namespace ridge {

// Queue `index` of GPU `gpu` among those that a variant declared; null: one GPU with one null stream. A bug
// of the variant where it declared fewer.
[[nodiscard]] stream declared_queue(const device::queue_set* queues, int gpu, int index);

}  // namespace ridge
