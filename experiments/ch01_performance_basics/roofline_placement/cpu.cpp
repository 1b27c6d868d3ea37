// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/cpu/sgemm.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>
#include <ridge/vendor/onednn.hpp>
#include <ridge/vendor/openblas.hpp>

#include "roofline_placement.hpp"

namespace ridge::experiments::ch01_roofline_placement {
namespace {

using timed = void (*)(workload&, call&);

variant<workload> plain(timed run) {
  return {.name = "plain", .is = role::baseline, .idea = "a loop of one element per iteration", .run = run};
}

variant<workload> vectorized(timed run) {
  return {.name = "vectorized", .idea = "as many elements per iteration as a vector holds", .run = run};
}

variant<workload> with_openblas(timed run) {
  return {.name = "openblas",
          .is = role::comparator,
          .idea = "the vendor's, one thread",
          .run = run,
          .needs = {.library = "openblas"}};
}

void vectorized_add(workload& w, call&) { add(w.a.data(), w.b.data(), w.c.data(), w.c.size()); }

void vectorized_dot(workload& w, call&) { w.c[0] = dot(w.a.data(), w.b.data(), w.a.size()); }

void vectorized_softmax(workload& w, call&) {
  for (std::size_t i = 0; i < w.n; ++i) softmax_row(w.a.data() + i * w.n, w.c.data() + i * w.n, w.n);
}

void vectorized_norm(workload& w, call&) {
  for (std::size_t i = 0; i < w.n; ++i) norm_row(w.a.data() + i * w.n, w.c.data() + i * w.n, w.n);
}

void vectorized_gemv(workload& w, call&) {
  for (std::size_t i = 0; i < w.n; ++i) w.c[i] = dot(w.a.data() + i * w.n, w.b.data(), w.n);
}

void openblas_dot(workload& w, call&) {
  w.c[0] = cblas_sdot(as_int(w.a.size()), w.a.data(), 1, w.b.data(), 1);
}

void openblas_gemv(workload& w, call&) {
  const auto n = as_int(w.n);
  if (n == 0) return;
  cblas_sgemv(vendor::cblas_row_major, vendor::cblas_no_trans, n, n, 1, w.a.data(), n, w.b.data(), 1, 0,
              w.c.data(), 1);
}

void openblas_gemm(workload& w, call&) {
  const auto n = as_int(w.n);
  if (n == 0) return;
  cblas_sgemm(vendor::cblas_row_major, vendor::cblas_no_trans, vendor::cblas_no_trans, n, n, n, 1, w.a.data(),
              n, w.b.data(), n, 0, w.c.data(), n);
}

void onednn_gemm(workload& w, call&) {
  const auto n = as_integer(w.n);
  if (n == 0) return;
  dnnl_sgemm('N', 'N', n, n, n, 1, w.a.data(), n, w.b.data(), n, 0, w.c.data(), n);
}

auto packed_gemm(const workload& shape, setup& s) {
  const auto n = as_integer(shape.n);
  return [n, scratch = s.workspace<float>(cpu::sgemm_workspace(n, n, n))](workload& w, call&) {
    cpu::sgemm(n, n, n, w.a.data(), n, w.b.data(), n, w.c.data(), n, scratch);
  };
}

auto packed_gemm_by_all(const workload& shape, setup& s) {
  const auto n = as_integer(shape.n);
  return [n, scratch = s.workspace<float>(cpu::sgemm_workspace(n, n, n, s.threads()))](workload& w, call& c) {
    cpu::sgemm(c.team(), n, n, n, w.a.data(), n, w.b.data(), n, w.c.data(), n, scratch);
  };
}

}  // namespace

ladder<workload> vector_add_cpu() { return {plain(plain_add), vectorized(vectorized_add)}; }

ladder<workload> dot_cpu() {
  return {plain(plain_dot), vectorized(vectorized_dot), with_openblas(openblas_dot)};
}

ladder<workload> softmax_cpu() { return {plain(plain_softmax), vectorized(vectorized_softmax)}; }

ladder<workload> norm_cpu() { return {plain(plain_norm), vectorized(vectorized_norm)}; }

ladder<workload> gemv_cpu() {
  return {plain(plain_gemv), vectorized(vectorized_gemv), with_openblas(openblas_gemv)};
}

ladder<workload> gemm_cpu() {
  return {plain(plain_gemm),
          {.name = "packed", .idea = "tiles in registers, panels in the caches", .run = packed_gemm},
          {.name = "packed_all_cores",
           .idea = "the same by every core",
           .run = packed_gemm_by_all,
           .threads = all_cores},
          with_openblas(openblas_gemm),
          {.name = "onednn",
           .is = role::comparator,
           .idea = "the vendor's, one thread",
           .run = onednn_gemm,
           .needs = {.library = "onednn"}}};
}

}  // namespace ridge::experiments::ch01_roofline_placement
