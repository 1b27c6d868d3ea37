// SPDX-License-Identifier: Apache-2.0
// Every device header, and a kernel that nobody launches with the instructions that no other kernel uses yet,
// whose PTX tests/codegen counts.
#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/e2m1_code.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/look_back.cuh>
#include <ridge/gpu/ordered_bits.hpp>
#include <ridge/gpu/ptx/approximate.cuh>
#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/barrier.cuh>
#include <ridge/gpu/ptx/bits.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/elect.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/griddepcontrol.cuh>
#include <ridge/gpu/ptx/load_once.cuh>
#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/memory_order.cuh>
#include <ridge/gpu/ptx/prefetch.cuh>
#include <ridge/gpu/ptx/setmaxnreg.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/special_registers.cuh>
#include <ridge/gpu/ptx/tcgen05.cuh>
#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/ptx/wgmma_narrow.cuh>
#include <ridge/gpu/reduce.cuh>
#include <ridge/gpu/tcgen05_descriptor.hpp>
#include <ridge/gpu/transform.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>

namespace ridge::gpu {

__global__ void __launch_bounds__(256, 1)
    unused_instructions([[maybe_unused]] const void* tensor_map, [[maybe_unused]] int x,
                        [[maybe_unused]] int y) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(128) std::byte shared[];
  const auto target = ptx::shared_address(shared);
  if (threadIdx.x < 128) {
    ptx::setmaxnreg_dec<40>();
    if (threadIdx.x == 0) {
      ptx::prefetch_tensormap(tensor_map);
      ptx::mbarrier_init(target + 1024, 1);
      ptx::mbarrier_arrive_expect_tx(target + 1024, 1024);
      ptx::cp_async_bulk_tensor_2d_shared_global(target, tensor_map, x, y, target + 1024);
      ptx::cp_async_bulk_tensor_2d_global_shared(tensor_map, x, y, target);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read<0>();
    }
  } else {
    ptx::setmaxnreg_inc<232>();
    std::uint32_t words[4];
    ptx::ldmatrix_x4(target + 16 * threadIdx.x, words[0], words[1], words[2], words[3]);
    ptx::stmatrix_x4(target + 16 * threadIdx.x, words[3], words[2], words[1], words[0]);
  }
#endif
}

}  // namespace ridge::gpu
