// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/sgemm_batched.hpp>

#include <ridge/base/expects.hpp>
#include <ridge/cpu/sgemm.hpp>
#include <ridge/host/team.hpp>

namespace ridge::cpu {
namespace {

void multiply(const sgemm_batch& batch, std::int64_t begin, std::int64_t end, std::span<float> workspace) {
  for (std::int64_t i = begin; i < end; ++i) {
    sgemm(batch.m, batch.n, batch.k, batch.a + i * batch.m * batch.k, batch.k,
          batch.b + i * batch.k * batch.n, batch.n, batch.c + i * batch.m * batch.n, batch.n, workspace);
  }
}

}  // namespace

std::size_t sgemm_batched_workspace(std::int64_t m, std::int64_t n, std::int64_t k, int threads) {
  return sgemm_workspace(m, n, k) * static_cast<std::size_t>(threads);
}

void sgemm_batched(const sgemm_batch& batch, std::span<float> workspace) {
  multiply(batch, 0, batch.count, workspace);
}

void sgemm_batched(host::team& team, const sgemm_batch& batch, std::span<float> workspace) {
  const auto each = sgemm_workspace(batch.m, batch.n, batch.k);
  expects(workspace.size() >= each * static_cast<std::size_t>(team.size()),
          "sgemm_batched: the workspace is too small");
  team.run([&](int rank, int ranks) {
    multiply(batch, batch.count * rank / ranks, batch.count * (rank + 1) / ranks,
             workspace.subspan(each * static_cast<std::size_t>(rank), each));
  });
}

}  // namespace ridge::cpu
