// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/number_format.hpp>
#include <ridge/plan/parallel_layout.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>

namespace ridge::plan::serve {

// How keys and values go from one engine that prefills to one of another layout that decodes.
struct kv_transfer {
  double copies = 1;      // of each row: decoding ranks that keep the same one, since each fetches its own
  int senders = 1;        // GPUs of the prefilling engine that send at a time
  int receivers = 1;      // GPUs of the decoding engine
  bool reshards = false;  // tensor ranks hold other heads, so that a block goes in pieces
};

// The ranks that take part. A rank of `decode` fetches the heads that it keeps, from a rank of `prefill` that
// has them: where several ranks keep the same rows (latent attention, more ranks than key-value heads), each
// serves others, as far as there are others. Stages send their layers beside each other. Data-parallel ranks
// are engines of their own.
[[nodiscard]] kv_transfer kv_transfer_of(const model_shape& m, const parallel_layout& prefill,
                                         const parallel_layout& decode);

// Bytes per second and GPU of a link: a number of GB/s ("50"), "network" (a port of 400 Gbit/s for each GPU,
// as usual_interconnect()), "scale-up" (NVLink or xGMI) or "host" (PCIe), the slower of both kinds of GPU.
// The error names the text, or the figure that the catalogue lacks.
[[nodiscard]] result<double> link_bytes_per_s(std::string_view text, const accelerator& prefill,
                                              const accelerator& decode);

// What the simulator needs of it: bytes of a prompt by the model's KV shape, and both ends' bandwidth.
// `decoding_engines` share the receiving side.
[[nodiscard]] disaggregation_settings disaggregation_of(const model_shape& m, const number_format& kv,
                                                        const kv_transfer& t, double gpu_link_bytes_per_s,
                                                        int decoding_engines);

}  // namespace ridge::plan::serve
