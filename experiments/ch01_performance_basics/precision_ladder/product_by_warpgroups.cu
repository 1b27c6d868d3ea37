// SPDX-License-Identifier: Apache-2.0
#include "launch_tiles.cuh"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Where an operand of 128-byte rows in 128-byte swizzle begins; 8 rows are 1024 bytes apart from the next 8
// (PTX ISA, asynchronous warpgroup-level matrix shared memory layout).
__device__ std::uint64_t description_of(unsigned address) {
  constexpr std::uint64_t eight_rows = std::uint64_t{1024 / 16} << 32, swizzle_128 = std::uint64_t{1} << 62;
  return ((address & 0x3FFFFU) >> 4) | std::uint64_t{1} << 16 | eight_rows | swizzle_128;
}

// 64 rows of a by 128 of b, one step of 32 bytes; onto: 0 begins a sum.
__device__ void add_product(bf16_bits, float (&d)[64], std::uint64_t a, std::uint64_t b, int onto) {
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, p, 1, 1, 0, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]),
        "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
        "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]),
        "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
        "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]),
        "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(onto));
}

__device__ void add_product(e4m3_bits, float (&d)[64], std::uint64_t a, std::uint64_t b, int onto) {
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, p, 1, 1; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]),
        "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
        "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]),
        "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
        "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]),
        "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(onto));
}

__device__ void open_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void close_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait_for_products() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
// What cp.async wrote becomes visible to wgmma.
__device__ void show_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

template <class Type>
__device__ void multiply_stage(unsigned stage, int onto, float (&upper)[64], float (&lower)[64]) {
  open_products();
#pragma unroll
  for (int step = 0; step < row_bytes / 32; ++step) {
    const unsigned at = stage + static_cast<unsigned>(32 * step);
    const auto b = description_of(at + operand_bytes);
    add_product(Type{}, upper, description_of(at), b, step > 0 ? 1 : onto);
    add_product(Type{}, lower, description_of(at + operand_bytes / 2), b, step > 0 ? 1 : onto);
  }
  close_products();
  wait_for_products();
}

// Warp w holds rows 16 w .. 16 w + 15 of its 64.
__device__ void store(const tile_problem& of, tile_place at, const float (&sum)[64]) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const float scale = scale_of_sums(of);
  const std::int64_t row = at.row + 16 * warp + lane / 4;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    const std::int64_t column = at.column + 8 * j + lane % 4 * 2;
    store_two(of, row, column, scale * sum[4 * j], scale * sum[4 * j + 1]);
    store_two(of, row + 8, column, scale * sum[4 * j + 2], scale * sum[4 * j + 3]);
  }
}

#endif

template <class Type>
__global__ void __launch_bounds__(tile_threads, 2)
    tiles_by_warpgroups([[maybe_unused]] const tile_problem of) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const unsigned ring = aligned_ring(dynamic);
  const auto at = place_of_block(of);
  const int steps = static_cast<int>(of.pitch / row_bytes);
  float upper[64], lower[64];
  for (int s = 0; s < stages - 1; ++s) begin_stage(of, at, ring, s);
  for (int s = 0; s < steps; ++s) {
    wait_for_oldest_stage();
    show_copies();
    __syncthreads();
    begin_stage(of, at, ring, s + stages - 1);
    multiply_stage<Type>(ring + static_cast<unsigned>(s % stages * stage_bytes), s, upper, lower);
  }
  store(of, at, upper);
  store(of, {at.row + tile / 2, at.column}, lower);
#endif
}

}  // namespace

template <class Type>
void product_by_warpgroups(const workload& w, const padded_operands& from, cudaStream_t queue) {
  launch_tiles(tiles_by_warpgroups<Type>, "tiles_by_warpgroups", w, from, queue);
}

template void product_by_warpgroups<bf16_bits>(const workload&, const padded_operands&, cudaStream_t);
template void product_by_warpgroups<e4m3_bits>(const workload&, const padded_operands&, cudaStream_t);

}  // namespace ridge::experiments::ch01_precision_ladder
