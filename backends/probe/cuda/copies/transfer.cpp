// SPDX-License-Identifier: Apache-2.0
#include "copies/transfer.hpp"

#include <ridge/gpu/check.hpp>

#include "timing/event_seconds.hpp"
#include "timing/held_timer.hpp"

namespace ridge::backends::probe_cuda {
std::string_view name(direction way) { return way == direction::to_device ? "h2d" : "d2h"; }

void enqueue_copy(direction way, void* device, void* host, std::size_t bytes, cudaStream_t stream) {
  const bool to_device = way == direction::to_device;
  gpu::check(cudaMemcpyAsync(to_device ? device : host, to_device ? host : device, bytes,
                             to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream),
             to_device ? "cudaMemcpyAsync to the device" : "cudaMemcpyAsync to the host");
}

std::vector<double> seconds_of(int samples, bool held, cudaStream_t stream,
                               const std::function<void()>& enqueue) {
  held_timer timer(stream);
  enqueue();
  gpu::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize of a copy");
  std::vector<double> all;
  for (int i = 0; i < samples; ++i)
    all.push_back(held ? timer.seconds(enqueue) : event_seconds(stream, enqueue));
  return all;
}

// Minimizes sum(((a + V c) / T - 1)^2), a linear regression with weights 1 / T^2.
transfer_fit fitted(const std::vector<transfer_time>& times) {
  double w = 0, wv = 0, wvv = 0, wt = 0, wvt = 0;
  for (const auto& [v, t] : times) {
    const double weight = 1 / (t * t);
    w += weight;
    wv += weight * v;
    wvv += weight * v * v;
    wt += weight * t;
    wvt += weight * v * t;
  }
  const double determinant = w * wvv - wv * wv;
  if (determinant == 0) return {};
  const double slope = (w * wvt - wv * wt) / determinant;
  return {(wt - slope * wv) / w, slope > 0 ? 1 / slope : 0};
}

}  // namespace ridge::backends::probe_cuda
