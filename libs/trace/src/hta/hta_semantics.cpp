// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/hta_semantics.hpp>

#include "hta/hta_breakdown.hpp"
#include "hta/hta_streams.hpp"

namespace ridge::trace {

hta_figures hta_figures_of(const trace& t, const hta_options& options) {
  const auto rows = hta_rows_of(t, options);
  return {.works = rows.device.size(),
          .temporal = hta_temporal(rows),
          .overlap_percent = hta_overlap_percent(rows),
          .types = hta_types(rows, options),
          .kernels = hta_kernels(t, rows, options),
          .idle = hta_idle(t, rows, options),
          .launches = hta_launches(t, rows),
          .queues = hta_queues(t, rows),
          .copies = hta_copies(t, rows)};
}

}  // namespace ridge::trace
