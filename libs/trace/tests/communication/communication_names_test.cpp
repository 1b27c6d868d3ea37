// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include <ridge/trace/communication_names.hpp>

namespace ridge::trace {
namespace {

using ::testing::HasSubstr;

struct known_name {
  std::string_view kernel{};
  std::string_view library{};
  collective_kind kind = collective_kind::unknown;
  name_confidence confidence = name_confidence::certain;
};

constexpr auto heuristic = name_confidence::heuristic;
using enum collective_kind;

const std::vector<known_name> communicating{
    {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "NCCL", all_reduce},
    {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", "NCCL",
     send_receive},
    {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL",
     reduce_scatter},
    {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL", all_gather},
    {"ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL", broadcast},
    {"ncclDevKernel_Reduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL", reduce},
    {"ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", "NCCL", unknown},
    {"mscclKernel_Sum_float_LL_true(mscclAlgo*)", "MSCCL", unknown},
    {"void mscclpp::allreduce7<float>(float*, float*)", "MSCCL++", all_reduce},
    {"oneccl_allreduce_small_kernel", "oneCCL", all_reduce},
    {"hcclAllReduceKernel", "HCCL", all_reduce},
    {"hcom_allReduce__123_0", "HCCL", all_reduce},
    {"void deep_ep::internode::dispatch<false, 8, false, 512, 8>(int4*, float*)", "DeepEP", dispatch},
    {"void deep_ep::internode::combine<false, 8, __nv_bfloat16>(int4*, float*)", "DeepEP", combine},
    {"void deep_ep::internode_ll::dispatch<true, 3, 10, 7168>(void*)", "DeepEP", dispatch},
    {"void deep_ep::intranode::cached_notify_combine<8>(void**, int*)", "DeepEP", combine},
    {"void deep_ep::intranode::barrier<8>(int**, int)", "DeepEP", barrier},
    {"_ZN7deep_ep9internode8dispatchILb0EEEvP4int4", "DeepEP", dispatch},
    {"void deep_ep::internode::notify<4>(int)", "DeepEP", unknown},
    {"nvshmemi_transfer_barrier_on_stream_kernel(int)", "NVSHMEM", barrier},
    {"nvshmem_alltoall_kernel", "NVSHMEM", all_to_all},
    {"EpDispatchIntraNodeKernel_bf16", "MORI", dispatch},
    {"multimem_all_reduce_kernel", "symmetric memory", all_reduce},
    {"void c10d::symmetric_memory::barrier_kernel(unsigned int**)", "symmetric memory", barrier},
    {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)", "custom all-reduce",
     all_reduce},
    {"void sglang::cross_device_reduce_2stage<__half, 4>(sglang::RankData*)", "custom all-reduce",
     all_reduce},
    {"void aiter::cross_device_reduce_2stage_naive<__hip_bfloat16, 8>()", "custom all-reduce", all_reduce},
    {"void quickreduce::allreduce_prototype_twoshot<quickreduce::CodecFP>()", "quick reduce", all_reduce},
    {"void tensorrt_llm::kernels::oneShotAllReduceKernel<__half, 8>()", "custom all-reduce", all_reduce},
    {"two_shot_all_reduce_kernel<8, 16>", "custom all-reduce", all_reduce},
    {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<2>()",
     "custom all-reduce", all_reduce},
    {"void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<8>(int)", "Transformer Engine", unknown},
    {"kuserbuffers_pushsend(int*, int*)", "Transformer Engine", send_receive},
    {"cp_engine_producer_all_gather_full_mesh_pull", "Triton-distributed", all_gather},
    {"void bytedance::flux::reduce_scatter_ring_kernel()", "Flux", reduce_scatter},
    {"fused_allreduce_rmsnorm_kernel", "by its words", all_reduce, heuristic},
    {"my_alltoall_v2", "by its words", all_to_all, heuristic},
    {"void ep::layout_shuffle()", "by its words", unknown, heuristic},
    {"void pipeline::sendrecv(float*)", "by its words", send_receive, heuristic},
};

TEST(communication_names, knows_the_kernels_of_libraries) {
  const auto names = communication_names::built_in();
  for (const auto& k : communicating) {
    SCOPED_TRACE(k.kernel);
    const auto* by = names.match(k.kernel);
    ASSERT_NE(by, nullptr);
    EXPECT_EQ(by->library, k.library);
    EXPECT_EQ(by->confidence, k.confidence);
    EXPECT_EQ(names.kind_of(k.kernel), k.kind) << name(names.kind_of(k.kernel));
  }
}

TEST(communication_names, leaves_what_computes) {
  const auto names = communication_names::built_in();
  for (const std::string_view kernel :
       {"void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128>, 4, 1>(Flash_fwd_params)",
        "void flash::compute_attn<Kernel, flash::Allreduce<4>>(float)",
        "_combined_routing_compute",
        "_combined_routing_memset",
        "void (anonymous namespace)::groupnorm_kernel_dispatch_up<__hip_bfloat16, 1024u>(unsigned int)",
        "void cub::DeviceReduceByKeyKernel<cub::DispatchReduceByKey<long*, long*>>()",
        "void at::native::(anonymous namespace)::type_specialized_broadcast_kernel_launcher<1>::apply()",
        "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*)",
        "void at::native::_scatter_gather_elementwise_kernel<128, 4>()",
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>()",
        "void softmax_warp_forward<blockAllReduceSum<float>>(float)",
        "void ln::warpAllReduce<float>()",
        "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(long const*)",
        "void training_step::step_dispatch()",
        "moe_align_block_size_kernel",
        "cutlass::device_kernel<bytedance::flux::GemmReduceScatter>",
        "triton_red_fused_sendto_0",
        "void vllm::merge_attn_states_kernel()",
        "sm90_xmma_gemm_bf16bf16_bf16f32",
        ""}) {
    EXPECT_EQ(names.match(kernel), nullptr) << kernel;
  }
}

TEST(communication_names, patterns_have_runs_edges_and_no_case) {
  const communication_names names{{{.part = "~Ring*PUSH", .library = "mine"}}};
  EXPECT_NE(names.match("void ring<2>::push()"), nullptr);
  EXPECT_NE(names.match("RINGpush"), nullptr);
  EXPECT_EQ(names.match("string<2>::push()"), nullptr);  // not the edge of a word
  EXPECT_EQ(names.match("push ring"), nullptr);
  const communication_names edge{{{.part = "a2a~", .library = "mine"}}};
  EXPECT_NE(edge.match("moe a2a<3>"), nullptr);
  EXPECT_NE(edge.match("moe_a2a"), nullptr);
  EXPECT_EQ(edge.match("moe_a2ab"), nullptr);
}

TEST(communication_names, reads_words_of_frameworks) {
  EXPECT_EQ(collective_kind_of("_allgather_base"), all_gather);
  EXPECT_EQ(collective_kind_of("all_to_allv"), all_to_all);
  EXPECT_EQ(collective_kind_of("nccl:_reduce_scatter_base"), reduce_scatter);
  EXPECT_EQ(collective_kind_of("reduce"), reduce);
  EXPECT_EQ(collective_kind_of("recv"), send_receive);
  EXPECT_EQ(collective_kind_of("coalesced"), unknown);
}

std::string why_not(std::string_view text) {
  const auto rows = parse_communication_names(text, "mine.txt");
  return rows ? "" : rows.why().text();
}

TEST(communication_names, says_what_a_line_lacks) {
  EXPECT_THAT(why_not("# fine\nnccl A"), HasSubstr("mine.txt:2: no kind of communication is called ''"));
  EXPECT_THAT(why_not("nccl B - NCCL"), HasSubstr("mine.txt:1: confidence is 'B', not A or C"));
  EXPECT_THAT(why_not("nccl A allreduce NCCL"), HasSubstr("called 'allreduce'; use one of -, all-reduce"));
  EXPECT_THAT(why_not("nccl A all-reduce"), HasSubstr("library's name is missing"));
  EXPECT_THAT(why_not("!"), HasSubstr("would match every name"));
  EXPECT_THAT(why_not("~* A - all"), HasSubstr("would match every name"));
  EXPECT_THAT(why_not("! a b"), HasSubstr("text after the excluded pattern"));
}

TEST(communication_names, a_users_file_comes_first) {
  const auto path = (std::filesystem::temp_directory_path() / "ridge_communication_names_test.txt").string();
  std::ofstream(path) << "# ours\r\nmy_ring\tC  all-gather  our own library\r\n! ncclDevKernel_Fake\n";
  const auto names = communication_names_with(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(names.ok());
  const auto* ours = names->match("void my_ring_kernel()");
  ASSERT_NE(ours, nullptr);
  EXPECT_EQ(ours->library, "our own library");
  EXPECT_EQ(names->kind_of("void my_ring_kernel()"), all_gather);
  EXPECT_EQ(names->match("ncclDevKernel_Fake"), nullptr);
  EXPECT_NE(names->match("ncclDevKernel_Generic"), nullptr);
}

TEST(communication_names, a_file_that_is_not_there_is_named) {
  const auto names = communication_names_with("/nowhere/names.txt");
  ASSERT_FALSE(names.ok());
  EXPECT_THAT(names.why().message, HasSubstr("/nowhere/names.txt"));
  EXPECT_FALSE(communication_names_with(std::filesystem::temp_directory_path().string()).ok());
}

}  // namespace
}  // namespace ridge::trace
