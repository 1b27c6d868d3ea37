// SPDX-License-Identifier: Apache-2.0
// The features of a GPU that cheats abuse, used as they are meant to be.
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/graph.hpp>

#include "cuda/cuda_questions.hpp"
#include "cuda/gpu_memory_goal.hpp"

namespace ridge::cheats::cuda {
namespace {

using ridge::gpu::check;

template <auto Baseline>
ladder<arrays> beside_on_gpu(variant<arrays> candidate) {
  candidate.name = "candidate";
  return {{.name = "baseline", .is = role::baseline, .run = Baseline}, std::move(candidate)};
}

void mix_half(arrays& w, bool second, queue_handle queue) {
  const auto half = w.source.size() / 2, first = second ? half : 0;
  launch_mixed(w.source.data() + first, w.target.data() + first, second ? w.source.size() - half : half,
               many_steps, queue);
}
auto on_a_joined_stream(arrays&, setup&) {
  return [side = own_stream()](arrays& w, call& c) mutable {
    side.follow(c.queue());
    mix_half(w, true, side);
    mix_half(w, false, c.queue());
    side.join(c.queue());
  };
}
void on_two_queues(arrays& w, call& c) {
  mix_half(w, true, c.queue(1));
  mix_half(w, false, c.queue(0));
}
ladder<arrays> with_two_queues() {
  return beside_on_gpu<mixed_body<many_steps>>({.run = on_two_queues, .needs = {.queues = 2}});
}
experiment declared_queues(const std::string& id) {
  return pose_on_gpu(id, {.elements = 2048 + 5, .answer = mixed_oracle<many_steps>}, with_two_queues);
}

auto in_a_workspace(arrays& made_for, setup& s) {
  return [states = s.workspace<std::uint32_t>(made_for.source.size())](arrays& w, call& c) {
    const auto n = w.source.size();
    launch_first_steps(w.source.data(), states.data(), n, few_steps / 2, c.queue());
    launch_last_steps(w.source.data(), states.data(), w.target.data(), n, few_steps - few_steps / 2,
                      c.queue());
  };
}

auto by_a_graph(arrays& made_for, setup& s) {
  auto states = s.workspace<std::uint32_t>(made_for.source.size());
  auto ready = std::make_unique<ridge::gpu::graph>([&](cudaStream_t recorded) {
    const auto n = made_for.source.size();
    launch_first_steps(made_for.source.data(), states.data(), n, few_steps / 2, recorded);
    launch_last_steps(made_for.source.data(), states.data(), made_for.target.data(), n,
                      few_steps - few_steps / 2, recorded);
  });
  return [ready = std::move(ready)](arrays&, call& c) { ready->launch(c.queue()); };
}

auto with_a_host_function(arrays&, setup&) {
  return [count = std::make_unique<int>(0)](arrays& w, call& c) {
    mixed_body<many_steps>(w, c);
    check(cudaLaunchHostFunc(
              c.queue(), [](void* counter) { ++*static_cast<int*>(counter); }, count.get()),
          "cudaLaunchHostFunc");
  };
}

void cooperatively(arrays& w, call& c) {
  launch_cooperatively(w.source.data(), w.target.data(), w.source.size(), c.queue());
}
void by_asynchronous_copies(arrays& w, call& c) {
  launch_by_asynchronous_copies(w.source.data(), w.target.data(), w.source.size(), c.queue());
}
auto reads_the_clock_of_the_gpu(arrays&, setup& s) {
  return [spent = s.workspace<unsigned long long>(64)](arrays& w, call& c) {
    launch_reading_the_clock(w.source.data(), w.target.data(), w.source.size(), spent.data(), c.queue());
  };
}

void by_constants(arrays& w, call& c) {
  launch_by_constants(w.source.data(), w.target.data(), w.source.size(), c.queue());
}

// Taken in the set-up, from a pool of the variant's own.
class pool {
 public:
  explicit pool(std::size_t bytes) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    check(cudaMemPoolCreate(&pool_, &properties), "cudaMemPoolCreate");
    check(cudaMallocFromPoolAsync(&memory_, bytes, pool_, once_), "cudaMallocFromPoolAsync");
    once_.synchronize();
  }
  ~pool() {
    cudaFreeAsync(memory_, once_);
    cudaStreamSynchronize(once_);
    cudaMemPoolDestroy(pool_);
  }
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  [[nodiscard]] float* memory() const { return static_cast<float*>(memory_); }

 private:
  own_stream once_{};
  cudaMemPool_t pool_ = nullptr;
  void* memory_ = nullptr;
};
auto from_a_pool_of_its_own(arrays& made_for, setup&) {
  return [memory = std::make_unique<pool>(made_for.target.size_bytes())](arrays& w, call& c) {
    through_memory(w, c, {memory->memory(), w.target.size()});
  };
}

struct freed {
  void operator()(float* memory) const { cudaFree(memory); }
};
auto in_managed_memory(arrays& made_for, setup&) {
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, made_for.target.size_bytes()), "cudaMallocManaged");
  return [owner = std::unique_ptr<float, freed>(static_cast<float*>(memory))](arrays& w, call& c) {
    through_memory(w, c, {owner.get(), w.target.size()});
  };
}

void set_window(queue_handle queue, const arrays& w, std::size_t bytes) {
  cudaStreamAttrValue value{};
  value.accessPolicyWindow = {const_cast<float*>(w.source.data()), bytes, 1.0F, cudaAccessPropertyStreaming,
                              cudaAccessPropertyNormal};
  check(cudaStreamSetAttribute(queue, cudaStreamAttributeAccessPolicyWindow, &value),
        "cudaStreamSetAttribute");
}
void in_a_window(arrays& w, call& c) {
  set_window(c.queue(), w, w.source.size_bytes());
  affine_body(w, c);
  set_window(c.queue(), w, 0);
}

void mixes_or_zero(arrays& w, call& c) {
  launch_mixed_or_zero(w.source.data(), w.target.data(), w.source.size(), few_steps, false, c.queue());
}
void leaves_early(arrays& w, call& c) {
  launch_mixed_or_zero(w.source.data(), w.target.data(), w.source.size(), few_steps, true, c.queue());
}
void zero_oracle(arrays& w) {
  mixed_answers(w, few_steps);
  for (std::size_t i = 0; i < w.source.size(); ++i) {
    if (w.source[i] < 0) w.target[i] = 0;
  }
}
experiment early_exit_on_gpu(const std::string& id) {
  return pose_on_gpu(id, {.elements = (1 << 17) + 5, .answer = zero_oracle},
                     pair_of<mixes_or_zero, leaves_early>);
}

void counts_its_launches(arrays& w, call& c) {
  static unsigned calls = 0;
  ++calls;
  asm volatile("" : : "r"(calls));
  mixed_body<middling_steps>(w, c);
}

void by_estimates(arrays& w, call& c) {
  launch_estimated_roots(w.source.data(), w.target.data(), w.source.size(), root_steps, c.queue());
}
void in_16_bits(arrays& w, call& c) {
  launch_half_roots(w.source.data(), w.target.data(), w.source.size(), root_steps, c.queue());
}
ladder<arrays> half_precision() {
  return beside_on_gpu<root_body>({.run = in_16_bits, .arithmetic = arithmetic::fp16});
}
experiment half_precision_within_tolerance(const std::string& id) {
  return pose_on_gpu(id, root_chain_shape(8e-3), half_precision);
}

struct changed_array {
  inout<float> values{};
};
template <bool Backwards>
void change_all(changed_array& w, call& c) {
  launch_in_place(w.values.data(), w.values.size(), Backwards, c.queue());
}
experiment in_place_on_gpu(const std::string& id) {
  return experiment_of<changed_array>{
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .axes = {values("elements", {(1 << 20) + 5})},
      .make = [](const problem& p,
                 memory& m) { return changed_array{m.both<float>(p.count("elements"), normal{})}; },
      .oracle =
          [](changed_array& w) {
            for (float& x : w.values) x = affine_answer(x);
          },
      .cuda = []() -> ladder<changed_array> {
        return {{.name = "baseline", .is = role::baseline, .run = change_all<false>},
                {.name = "candidate", .run = change_all<true>}};
      },
  };
}

}  // namespace

std::vector<honest_twin> cuda_twins() {
  return {
      {"same_kernel", "Both variants are the same kernel", brief_on_gpu<affine_body>},
      {"same_kernel_single", "Both variants are the same kernel, a call a sample",
       single_on_gpu<mixed_body<many_steps>>},
      {"joined_stream", "Half of the work on a stream that is forked and joined",
       single_on_gpu<on_a_joined_stream>},
      {"declared_queues", "Half of the work on a queue that is declared", declared_queues},
      {"workspace_on_gpu", "A workspace that the set-up counts", wide_on_gpu<in_a_workspace>},
      {"large_workspace_on_gpu", "A large workspace where the least memory is asked for",
       least_gpu_memory<in_a_large_gpu_workspace>},
      {"graph_on_gpu", "A graph of the whole work, made in the set-up", wide_on_gpu<by_a_graph>},
      {"host_function", "A host function behind the kernel, on the queue",
       single_on_gpu<with_a_host_function>},
      {"cooperative_launch", "A cooperative launch with a barrier of the grid", brief_on_gpu<cooperatively>},
      {"constant_memory", "Reads its factors from constant memory", brief_on_gpu<by_constants>},
      {"asynchronous_copies", "Copies its source asynchronously into shared memory",
       brief_on_gpu<by_asynchronous_copies>},
      {"reads_the_clock_on_gpu", "Reads the multiprocessor's clock in every block",
       brief_on_gpu<reads_the_clock_of_the_gpu>},
      {"memory_pool", "Memory of a pool of its own, taken in the set-up",
       brief_on_gpu<from_a_pool_of_its_own>},
      {"managed_memory", "Managed memory, taken in the set-up", brief_on_gpu<in_managed_memory>},
      {"window_that_is_restored", "An access window on the queue, put back in the call",
       of_gpu_memory<in_a_window>},
      {"early_exit_on_gpu", "Threads end at once where the data allow it", early_exit_on_gpu},
      {"counts_its_launches", "Counts its calls and computes in all of them",
       a_few_on_gpu<counts_its_launches>},
      {"estimates_within_tolerance", "The estimate of the hardware, which the tolerance allows",
       in_roots<by_estimates>},
      {"half_precision_within_tolerance", "16 bits, which the tolerance allows",
       half_precision_within_tolerance},
      {"in_place_on_gpu", "Changes an array that is restored before each call", in_place_on_gpu},
  };
}

}  // namespace ridge::cheats::cuda
