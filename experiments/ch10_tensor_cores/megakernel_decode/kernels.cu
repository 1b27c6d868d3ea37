// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <utility>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/griddepcontrol.cuh>
#include <ridge/gpu/ptx/load_once.cuh>

#include "attention.cuh"

namespace ridge::experiments::ch10_megakernel_decode {
namespace {

namespace ptx = gpu::ptx;
constexpr unsigned threads = 256, warps = threads / gpu::warp_lanes, loads = 8, rows_of_warp = 2;
constexpr unsigned keys_of_split = 64;  // one step of a block's warps for each
static_assert(hidden == gpu::warp_lanes * loads * 8 && between == 4 * hidden);

__device__ unsigned lane() { return threadIdx.x % gpu::warp_lanes; }
__device__ unsigned warp() { return threadIdx.x / gpu::warp_lanes; }
__device__ float* floats(std::uint32_t* words) { return reinterpret_cast<float*>(words); }

// Lets the next kernel's blocks come and waits for what the kernels before have written.
__device__ void wait_for_inputs() {
  ptx::griddepcontrol_launch_dependents();
  ptx::griddepcontrol_wait();
}

// Two rows of `hidden` weights, all of which are under way before the inputs are there.
class two_rows {
 public:
  __device__ two_rows(const std::uint16_t* first, const std::uint16_t* second) {
    const std::uint16_t* rows[rows_of_warp]{first, second};
#pragma unroll
    for (unsigned r = 0; r < rows_of_warp; ++r) {
#pragma unroll
      for (unsigned i = 0; i < loads; ++i)
        weights_[r][i] =
            ptx::ld_global_nc_once(reinterpret_cast<const uint4*>(rows[r]) + i * gpu::warp_lanes + lane());
    }
  }
  // The sums of both rows, in all lanes.
  __device__ float2 times(const float* x) const {
    float sums[rows_of_warp]{};
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      const auto* const at = reinterpret_cast<const float4*>(x) + 2 * (i * gpu::warp_lanes + lane());
      const float4 a = at[0], b = at[1];
      const float eight[8]{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
      for (unsigned r = 0; r < rows_of_warp; ++r) add_products(sums[r], weights_[r][i], eight);
    }
    return {gpu::over_warp(sums[0], gpu::sum_of()), gpu::over_warp(sums[1], gpu::sum_of())};
  }

 private:
  uint4 weights_[rows_of_warp][loads];
};

__global__ void __launch_bounds__(512) copy_embedding(const std::uint16_t* embedding, float* state) {
  wait_for_inputs();
  const unsigned i = 512 * blockIdx.x + threadIdx.x;
  state[i] = __uint_as_float(std::uint32_t{embedding[i]} << 16);
}

template <class Target>
__device__ void store(Target& target, float x) {
  if constexpr (sizeof(Target) == sizeof(float)) {
    target = x;
  } else {
    target = static_cast<std::uint16_t>(gpu::bf16x2(x, 0));
  }
}

// One block; Target is float, or the bits of bf16.
template <class Target>
__global__ void __launch_bounds__(512)
    norm(const std::uint16_t* factors, const float* state, Target* target) {
  const unsigned i = 4 * threadIdx.x;
  const uint2 factor = *reinterpret_cast<const uint2*>(factors + i);
  wait_for_inputs();
  const float4 x = *reinterpret_cast<const float4*>(state + i);
  const float squares = gpu::over_block(x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w, gpu::sum_of());
  const float scale = rsqrtf(squares / hidden + epsilon);
  store(target[i], x.x * gpu::low_bf16(factor.x) * scale);
  store(target[i + 1], x.y * gpu::high_bf16(factor.x) * scale);
  store(target[i + 2], x.z * gpu::low_bf16(factor.y) * scale);
  store(target[i + 3], x.w * gpu::high_bf16(factor.y) * scale);
}

// Both numbers of a pair, rotated where they are a query's or a key's.
__device__ float2 rotated(float2 pair, unsigned row, const std::uint32_t* rotation) {
  if (row >= hidden + kept_rows / 2) return pair;
  const float2 turn = reinterpret_cast<const float2*>(rotation)[row % head_width / 2];
  return {pair.x * turn.x - pair.y * turn.y, pair.y * turn.x + pair.x * turn.y};
}

__device__ void keep_pair(float2 pair, unsigned row, float* made, std::uint32_t* appended) {
  *reinterpret_cast<float2*>(made + row) = pair;
  if (row >= hidden) appended[(row - hidden) / 2] = gpu::bf16x2(pair.x, pair.y);
}

__global__ void __launch_bounds__(threads)
    queries_keys_values(const std::uint16_t* matrix, stage_words* words, std::uint32_t* appended) {
  const unsigned row = rows_of_warp * (warps * blockIdx.x + warp());
  const auto* const first = matrix + std::size_t{row} * hidden;
  const two_rows weights(first, first + hidden);
  wait_for_inputs();
  const float2 pair = rotated(weights.times(floats(words->normed)), row, words->rotation);
  if (lane() == 0) keep_pair(pair, row, floats(words->made), appended);
}

// Joins the sums of a block's warps, and in the last block of a head those of all its blocks.
template <class Target>
__device__ void join_splits(const warp_sums& sums, unsigned head, unsigned split, unsigned splits,
                            stage_words& words, Target* target) {
  __shared__ bool last;
  const unsigned h = threadIdx.x / head_width, e = threadIdx.x % head_width;
  const unsigned row = head * head_group * head_width + threadIdx.x, query = head * head_group + h;
  const bool takes_part = h < head_group;
  if (takes_part) {
    float2 statistics;
    floats(words.attended[split])[row] = join_warps(sums, h, e, statistics);
    if (e == 0) reinterpret_cast<float2*>(words.statistics[split])[query] = statistics;
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&words.arrivals[head], splits - 1) == splits - 1;
  __syncthreads();
  if (!last || !takes_part) return;
  __threadfence();
  float most = far_below, o = 0, weights = 0;
  for (unsigned s = 0; s < splits; ++s) {
    const float2 statistics = __ldcg(reinterpret_cast<const float2*>(words.statistics[s]) + query);
    const float larger = fmaxf(most, statistics.x);
    const float keep = ptx::ex2_approx_ftz(most - larger), add = ptx::ex2_approx_ftz(statistics.x - larger);
    o = o * keep + add * __ldcg(floats(words.attended[s]) + row);
    weights = weights * keep + add * statistics.y, most = larger;
  }
  store(target[row], o / weights);
}

// A block takes some keys of a head, whose last block to end joins the sums of all.
template <class Target>
__global__ void __launch_bounds__(attention_warps * 32)
    attend(const uint2* cache, const uint2* appended, unsigned context, stage_words* words, Target* target) {
  __shared__ warp_sums sums;
  const unsigned head = blockIdx.x, split = blockIdx.y, splits = gridDim.y;
  const auto keys = share_of(context, split, splits);
  const std::size_t to_values = std::size_t{kv_heads} * context * lanes_of_key;
  cache += (std::size_t{head} * context + keys.begin) * lanes_of_key + threadIdx.x;
  const unsigned own = threadIdx.x / lanes_of_key, part = threadIdx.x % lanes_of_key;
  const bool some = own < keys.count;
  uint2 key = some ? cache[0] : uint2{}, value = some ? cache[to_values] : uint2{};
  wait_for_inputs();
  attention_state state;
  state.clear();
  const float* const queries = floats(words->made) + head * head_group * head_width + part * lane_numbers;
  for (unsigned h = 0; h < head_group; ++h)
    state.set_query(h, *reinterpret_cast<const float4*>(queries + h * head_width));
  for (unsigned done = 0; done < keys.count; done += keys_at_once) {
    const unsigned next = done + keys_at_once + own;
    const uint2 last_key = key, last_value = value;
    if (next < keys.count) {
      const auto* const at = cache + std::size_t{done + keys_at_once} * lanes_of_key;
      key = at[0], value = at[to_values];
    }
    state.take(last_key, last_value, done + own < keys.count);
  }
  if (split == splits - 1 && warp() == 0) {
    const auto* const at = appended + head * lanes_of_key + part;
    state.take(at[0], at[kv_heads * lanes_of_key], lane() < lanes_of_key);
  }
  state.leave(sums, warp(), lane());
  __syncthreads();
  join_splits(sums, head, split, splits, *words, target);
}

__global__ void __launch_bounds__(threads) project(const std::uint16_t* matrix, stage_words* words) {
  const unsigned row = rows_of_warp * (warps * blockIdx.x + warp());
  const auto* const first = matrix + std::size_t{row} * hidden;
  const two_rows weights(first, first + hidden);
  wait_for_inputs();
  const float2 sums = weights.times(floats(words->middle));
  auto* const state = floats(words->state) + row;
  if (lane() == 0) state[0] += sums.x, state[1] += sums.y;
}

__global__ void __launch_bounds__(threads) gate_and_up(const std::uint16_t* matrix, stage_words* words) {
  const unsigned row = warps * blockIdx.x + warp();
  const auto* const gate = matrix + std::size_t{row} * hidden;
  const two_rows weights(gate, gate + std::size_t{between} * hidden);
  wait_for_inputs();
  const float2 sums = weights.times(floats(words->normed));
  if (lane() == 0) floats(words->activations)[row] = gated(sums.x, sums.y);
}

// Four warps share two rows of `between` weights.
__global__ void __launch_bounds__(threads) come_down(const std::uint16_t* matrix, stage_words* words) {
  __shared__ float2 partial[warps];
  constexpr unsigned quarters = between / hidden, rows_of_block = warps / quarters * rows_of_warp;
  const unsigned quarter = warp() % quarters;
  const unsigned row = rows_of_block * blockIdx.x + rows_of_warp * (warp() / quarters);
  const auto* const first = matrix + std::size_t{row} * between + quarter * hidden;
  const two_rows weights(first, first + between);
  wait_for_inputs();
  const float2 sums = weights.times(floats(words->activations) + quarter * hidden);
  if (lane() == 0) partial[warp()] = sums;
  __syncthreads();
  if (threadIdx.x >= rows_of_block) return;
  const float2* const own = partial + threadIdx.x / rows_of_warp * quarters;
  float sum = 0;
  for (unsigned q = 0; q < quarters; ++q) sum += threadIdx.x % rows_of_warp == 0 ? own[q].x : own[q].y;
  floats(words->state)[rows_of_block * blockIdx.x + threadIdx.x] += sum;
}

__global__ void __launch_bounds__(threads)
    rate(const std::uint16_t* matrix, stage_words* words, float* logits, unsigned rows) {
  const unsigned row = rows_of_warp * (warps * blockIdx.x + warp());
  if (row >= rows) return;
  const unsigned next = min(row + 1, rows - 1);
  const two_rows weights(matrix + std::size_t{row} * hidden, matrix + std::size_t{next} * hidden);
  wait_for_inputs();
  const float2 sums = weights.times(floats(words->normed));
  if (lane() != 0) return;
  logits[row] = sums.x;
  if (next != row) logits[next] = sums.y;
}

// What a library's products leave to do.
__global__ void __launch_bounds__(threads)
    rotate_and_append(float* made, stage_words* words, std::uint32_t* appended) {
  const unsigned row = 2 * (threads * blockIdx.x + threadIdx.x);
  const float2 pair = *reinterpret_cast<const float2*>(made + row);
  keep_pair(rotated(pair, row, words->rotation), row, floats(words->made), appended);
}

__global__ void __launch_bounds__(threads) gate_in_bf16(const float* made, std::uint16_t* target) {
  const unsigned i = threads * blockIdx.x + threadIdx.x;
  store(target[i], gated(made[i], made[between + i]));
}

const std::uint16_t* bits(input<bf16> numbers, std::size_t offset = 0) {
  return reinterpret_cast<const std::uint16_t*>(numbers.data()) + offset;
}
stage_words* words_in(scratch own) { return reinterpret_cast<stage_words*>(own.data()); }

template <class Target>
void enqueue_attention(const workload& w, std::size_t layer, stage_words* words, Target* target,
                       const gpu::launch_shape& how) {
  const std::size_t of_layer = kept_rows * w.size.context;
  const auto context = as_unsigned(w.size.context);
  auto shape = how;
  shape.blocks = {kv_heads, splits_of(context, keys_of_split)}, shape.threads = attention_warps * 32;
  gpu::launch(attend<Target>, shape, reinterpret_cast<const uint2*>(bits(w.cache, layer * of_layer)),
              reinterpret_cast<const uint2*>(w.appended.data() + layer * kept_rows), context, words, target);
}

void enqueue_layer(const workload& w, std::size_t layer, stage_words* words, gpu::launch_shape how) {
  auto* const state = reinterpret_cast<float*>(words->state);
  auto* const normed = reinterpret_cast<float*>(words->normed);
  const auto shaped = [&](unsigned blocks, unsigned of_threads) {
    how.blocks = blocks, how.threads = of_threads;
    return how;
  };
  constexpr std::size_t square = std::size_t{hidden} * hidden, long_square = std::size_t{hidden} * between;
  constexpr unsigned rows_of_block = warps * rows_of_warp;
  auto* const appended = reinterpret_cast<std::uint32_t*>(w.appended.data() + layer * kept_rows);
  gpu::launch(norm<float>, shaped(1, 512), bits(w.norms, 2 * layer * hidden), state, normed);
  gpu::launch(queries_keys_values, shaped(token_rows / rows_of_block, threads),
              bits(w.qkv, layer * token_rows * hidden), words, appended);
  enqueue_attention(w, layer, words, reinterpret_cast<float*>(words->middle), how);
  gpu::launch(project, shaped(hidden / rows_of_block, threads), bits(w.projection, layer * square), words);
  gpu::launch(norm<float>, shaped(1, 512), bits(w.norms, (2 * layer + 1) * hidden), state, normed);
  gpu::launch(gate_and_up, shaped(between / warps, threads), bits(w.gate_up, 2 * layer * long_square), words);
  gpu::launch(come_down, shaped(hidden / (rows_of_block * hidden / between), threads),
              bits(w.down, layer * long_square), words);
}

void enqueue_step(const workload& w, scratch own, gpu::launch_shape how) {
  auto* const words = words_in(own);
  auto* const state = reinterpret_cast<float*>(words->state);
  const auto shaped = [&](unsigned blocks, unsigned of_threads) {
    how.blocks = blocks, how.threads = of_threads;
    return how;
  };
  const bool dependent = std::exchange(how.dependent, false);  // the first kernel follows the last step's
  gpu::launch(copy_embedding, shaped(hidden / 512, 512), bits(w.embedding), state);
  how.dependent = dependent;
  for (std::size_t layer = 0; layer < w.size.layers; ++layer) enqueue_layer(w, layer, words, how);
  gpu::launch(norm<float>, shaped(1, 512), bits(w.norms, 2 * w.size.layers * hidden), state,
              reinterpret_cast<float*>(words->normed));
  gpu::launch(rate, shaped(gpu::blocks_for(w.size.vocabulary, warps * rows_of_warp), threads), bits(w.head),
              words, w.logits.data(), as_unsigned(w.size.vocabulary));
}

}  // namespace

std::size_t scratch_words() { return sizeof(stage_words) / sizeof(std::uint32_t); }

void launch_kernels(const workload& w, scratch own, stream queue) { enqueue_step(w, own, {.stream = queue}); }

void launch_dependent_kernels(const workload& w, scratch own, stream queue) {
  enqueue_step(w, own, {.stream = queue, .dependent = true});
}

void launch_embedding(const workload& w, const between_products& b, stream queue) {
  gpu::launch(copy_embedding, {hidden / 512, 512, 0, queue}, bits(w.embedding), b.state.data());
}

void launch_norm(const workload& w, std::size_t index, const between_products& b, stream queue) {
  gpu::launch(norm<std::uint16_t>, {1, 512, 0, queue}, bits(w.norms, index * hidden), b.state.data(),
              reinterpret_cast<std::uint16_t*>(b.operands.data()));
}

void launch_attention(const workload& w, std::size_t layer, const between_products& b, stream queue) {
  auto* const words = words_in(b.own);
  gpu::launch(rotate_and_append, {token_rows / 2 / threads, threads, 0, queue}, b.made.data(), words,
              reinterpret_cast<std::uint32_t*>(w.appended.data() + layer * kept_rows));
  enqueue_attention(w, layer, words, reinterpret_cast<std::uint16_t*>(b.operands.data()), {.stream = queue});
}

void launch_gate(const between_products& b, stream queue) {
  gpu::launch(gate_in_bf16, {between / threads, threads, 0, queue}, b.made.data(),
              reinterpret_cast<std::uint16_t*>(b.operands.data()));
}

}  // namespace ridge::experiments::ch10_megakernel_decode
