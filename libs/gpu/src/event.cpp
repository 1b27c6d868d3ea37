// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/event.hpp>

#include <ridge/gpu/check.hpp>

namespace ridge::gpu {
namespace {

cudaEvent_t created(timing timed) {
  cudaEvent_t event = nullptr;
  const unsigned flags = timed == timing::on ? cudaEventDefault : cudaEventDisableTiming;
  check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
  return event;
}

}  // namespace

// A failure cannot be reported from a destructor; the next checked call reports it.
void event::destroy::operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }

event::event(timing timed) : handle_(created(timed)) {}

void event::record(cudaStream_t stream) { check(cudaEventRecord(handle(), stream), "cudaEventRecord"); }

void event::hold_back(cudaStream_t waiting) const {
  check(cudaStreamWaitEvent(waiting, handle(), cudaEventWaitDefault), "cudaStreamWaitEvent");
}

void event::synchronize() const { check(cudaEventSynchronize(handle()), "cudaEventSynchronize"); }

bool event::reached() const {
  const auto code = cudaEventQuery(handle());
  if (code == cudaErrorNotReady) return false;
  check(code, "cudaEventQuery");
  return true;
}

double event::seconds_since(const event& earlier) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, earlier.handle(), handle()), "cudaEventElapsedTime");
  return double{milliseconds} * 1e-3;
}

}  // namespace ridge::gpu
