// SPDX-License-Identifier: Apache-2.0
#include "host_bench.hpp"

#include <algorithm>

#include <ridge/host/affinity.hpp>

namespace ridge::backends::probe_host {
namespace {

host::topology read_process_topology() {
  const host::scoped_affinity wide(host::process_cpus());
  return host::read_topology();
}

}  // namespace

host_bench::host_bench() : machine_(read_process_topology()) {}

host_bench::~host_bench() {
  all_.reset();  // teams unpin in the reverse order of their making
  one_thread_.reset();
}

int host_bench::threads(const probe::request& request) const {
  const int cores = std::max(1, static_cast<int>(machine_.cores.size()));
  return request.threads == 0 ? cores : std::min(request.threads, cores);
}

void host_bench::prepare(const probe::request& request) {
  const int wanted = threads(request), have = all_ ? all_->threads() : one_thread_ ? 1 : 0;
  if (clock_ == &request.clock && have == wanted) return;
  shared_.reset(), near_.reset();
  all_.reset(), one_thread_.reset();
  clock_ = &request.clock;
  one_thread_.emplace(request.clock, 1);
  if (wanted > 1) all_.emplace(request.clock, wanted);
}

sampler& host_bench::one(const probe::request& request) {
  prepare(request);
  return *one_thread_;
}

sampler& host_bench::all(const probe::request& request) {
  prepare(request);
  return all_ ? *all_ : *one_thread_;
}

const probe_arrays& host_bench::arrays(const probe::request& request, const sampler& sampler) {
  prepare(request);
  const auto bytes =
      request.depth == probe::depth::essential ? array_bytes(machine_) : long_array_bytes(machine_);
  if (array_bytes_ != bytes) shared_.reset(), near_.reset(), array_bytes_ = bytes;
  if (machine_.nodes.size() > 1 && sampler.threads() == 1) {
    if (!near_) near_.emplace(bytes), near_->fill(*one_thread_);
    return *near_;
  }
  if (!shared_) shared_.emplace(bytes), shared_->fill(all(request));
  return *shared_;
}

}  // namespace ridge::backends::probe_host
