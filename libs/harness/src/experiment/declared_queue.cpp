// SPDX-License-Identifier: Apache-2.0
#include "experiment/declared_queue.hpp"

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

namespace ridge {

stream declared_queue(const device::queue_set* queues, int gpu, int index) {
  const int declared_gpus = queues == nullptr ? 1 : queues->gpus();
  const int declared_queues = queues == nullptr ? 1 : queues->queues_per_gpu();
  if (gpu < 0 || gpu >= declared_gpus || index < 0 || index >= declared_queues) {
    expects(false,
            fmt::format(
                "queue {} of GPU {} is not declared: this variant's .needs say {{.gpus = {}, .queues = {}}}",
                index, gpu, declared_gpus, declared_queues));
  }
  return queues == nullptr ? stream{} : queues->at(gpu, index);
}

}  // namespace ridge
