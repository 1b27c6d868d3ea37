// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/planned_matmul.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <ridge/base/error.hpp>

namespace ridge::vendor {
namespace {

void check_cublaslt(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const auto message = std::string(call) + " failed: " + cublasLtGetStatusString(status);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH) {
    throw unavailable(message, "this GPU or this cuBLASLt does not multiply these types and sizes");
  }
  throw failure({message, "see the log of cuBLASLt: CUBLASLT_LOG_LEVEL=2"});
}

// The handle of the process, which owns the library's memory on the device.
cublasLtHandle_t shared_handle() {
  static const cublasLtHandle_t made = [] {
    cublasLtHandle_t handle{};
    check_cublaslt(cublasLtCreate(&handle), "cublasLtCreate");
    return handle;
  }();
  return made;
}

template <class T>
void set(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute, const T& value) {
  check_cublaslt(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value),
                 "cublasLtMatmulDescSetAttribute");
}

template <class T>
void set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const T& value) {
  check_cublaslt(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value),
                 "cublasLtMatrixLayoutSetAttribute");
}

template <class T>
void set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
         const T& value) {
  check_cublaslt(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value),
                 "cublasLtMatmulPreferenceSetAttribute");
}

// The alignment of a pointer that the library may assume, at most its own default of 256 bytes.
std::uint32_t alignment_of(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer) | 256U;
  return static_cast<std::uint32_t>(address & (~address + 1));
}

void check_cuda(cudaError_t status, const char* call) {
  if (status != cudaSuccess)
    throw failure(
        {std::string(call) + " failed: " + cudaGetErrorString(status), "see whether other work fails"});
}

// Times what is enqueued on a stream.
class stopwatch {
 public:
  explicit stopwatch(cudaStream_t stream) : stream_(stream) {
    check_cuda(cudaEventCreate(&begin_), "cudaEventCreate");
    check_cuda(cudaEventCreate(&end_), "cudaEventCreate");
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() { (void)cudaEventDestroy(begin_), (void)cudaEventDestroy(end_); }

  void start() { check_cuda(cudaEventRecord(begin_, stream_), "cudaEventRecord"); }
  // Waits for the stream; milliseconds since the start.
  float stop() {
    float milliseconds = 0;
    check_cuda(cudaEventRecord(end_, stream_), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(end_), "cudaEventSynchronize");
    check_cuda(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_{}, end_{};
};

cublasOperation_t operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

cublasLtEpilogue_t library_epilogue(epilogue applied) {
  switch (applied) {
    case epilogue::bias:
      return CUBLASLT_EPILOGUE_BIAS;
    case epilogue::bias_relu:
      return CUBLASLT_EPILOGUE_RELU_BIAS;
    case epilogue::bias_gelu:
      return CUBLASLT_EPILOGUE_GELU_BIAS;
    default:
      return CUBLASLT_EPILOGUE_DEFAULT;
  }
}

void set_scales(cublasLtMatmulDesc_t description, const matrix& m, cublasLtMatmulDescAttributes_t pointer,
                [[maybe_unused]] int mode) {
  if (!m.scale) return;
  set(description, pointer, m.scale);
  if (m.scaled == scale_of::whole) return;
#if CUBLAS_VERSION >= 120900
  set(description, static_cast<cublasLtMatmulDescAttributes_t>(mode),
      m.scaled == scale_of::block_of_row ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F
                                         : CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F);
#else
  throw unavailable("this cuBLASLt has no scales of blocks", "build with CUDA 12.9 or newer");
#endif
}

// CUBLASLT_MATMUL_DESC_A_SCALE_MODE and of B, which headers before CUDA 12.8 lack.
constexpr int a_scale_mode = 31, b_scale_mode = 32;

}  // namespace

const void* planned_matmul::factor::as(cudaDataType type) const {
  if (type == CUDA_R_64F) return &twice;
  return type == CUDA_R_32I ? static_cast<const void*>(&whole) : &single;
}

planned_matmul::factor planned_matmul::factor_of(double value) {
  return {static_cast<float>(value), value, static_cast<std::int32_t>(value)};
}

// The library's matrices are column-major, so that a row-major matrix is the transpose of the library's, and
// a b is computed as the transpose of b' a'. Our b is therefore the library's first operand, and a bias per
// row of ours is one per column of the library's.
planned_matmul::owned<cublasLtMatrixLayout_t> planned_matmul::layout_of(const matrix& m, int batch) {
  cublasLtMatrixLayout_t layout{};
  check_cublaslt(cublasLtMatrixLayoutCreate(&layout, m.type, static_cast<std::uint64_t>(m.columns),
                                            static_cast<std::uint64_t>(m.rows), m.pitch),
                 "cublasLtMatrixLayoutCreate");
  owned<cublasLtMatrixLayout_t> owner(layout);
  if (batch > 1) {
    set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batch);
    set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, m.batch_stride);
  }
  return owner;
}

planned_matmul::owned<cublasLtMatmulDesc_t> planned_matmul::describe(const product& wanted) {
  cublasLtMatmulDesc_t made{};
  check_cublaslt(cublasLtMatmulDescCreate(&made, wanted.compute, wanted.scale_type),
                 "cublasLtMatmulDescCreate");
  owned<cublasLtMatmulDesc_t> description(made);
  set(made, CUBLASLT_MATMUL_DESC_TRANSA, operation(wanted.b.transposed));
  set(made, CUBLASLT_MATMUL_DESC_TRANSB, operation(wanted.a.transposed));
  set(made, CUBLASLT_MATMUL_DESC_EPILOGUE, library_epilogue(wanted.epilogue));
  if (wanted.bias) set(made, CUBLASLT_MATMUL_DESC_BIAS_POINTER, wanted.bias);
  set_scales(made, wanted.b, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, a_scale_mode);
  set_scales(made, wanted.a, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, b_scale_mode);
  if (wanted.fast_accumulation) set(made, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
  return description;
}

planned_matmul::planned_matmul(const product& wanted, void* workspace, int most_algorithms)
    : product_(wanted),
      workspace_(workspace),
      alpha_(factor_of(wanted.alpha)),
      beta_(factor_of(wanted.beta)),
      description_(describe(wanted)),
      first_(layout_of(wanted.b, wanted.batch)),
      second_(layout_of(wanted.a, wanted.batch)),
      target_(layout_of({.data = wanted.target,
                         .type = wanted.target_type,
                         .rows = wanted.a.transposed ? wanted.a.columns : wanted.a.rows,
                         .columns = wanted.b.transposed ? wanted.b.rows : wanted.b.columns,
                         .pitch = wanted.pitch,
                         .batch_stride = wanted.batch_stride},
                        wanted.batch)) {
  find_algorithms(most_algorithms);
}

void planned_matmul::find_algorithms(int most) {
  cublasLtMatmulPreference_t preference{};
  check_cublaslt(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  const owned<cublasLtMatmulPreference_t> owner(preference);
  set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace_bytes);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(product_.b.data));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(product_.a.data));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(base()));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(product_.target));
  std::vector<cublasLtMatmulHeuristicResult_t> results(static_cast<std::size_t>(most));
  int found = 0;
  check_cublaslt(
      cublasLtMatmulAlgoGetHeuristic(shared_handle(), description_.get(), first_.get(), second_.get(),
                                     target_.get(), target_.get(), preference, most, results.data(), &found),
      "cublasLtMatmulAlgoGetHeuristic");
  if (found == 0) {
    throw unavailable("cuBLASLt has no algorithm for this product",
                      "this GPU or this cuBLASLt does not multiply these types and sizes");
  }
  for (int i = 0; i < found; ++i) algorithms_.push_back(results[static_cast<std::size_t>(i)].algo);
}

cublasStatus_t planned_matmul::enqueue(std::size_t algorithm, cudaStream_t stream) const {
  const auto scale_type = product_.scale_type;
  return cublasLtMatmul(shared_handle(), description_.get(), alpha_.as(scale_type), product_.b.data,
                        first_.get(), product_.a.data, second_.get(), beta_.as(scale_type), base(),
                        target_.get(), product_.target, target_.get(), &algorithms_[algorithm], workspace_,
                        workspace_bytes, stream);
}

void planned_matmul::operator()(cudaStream_t stream) const {
  check_cublaslt(enqueue(0, stream), "cublasLtMatmul");
}

bool planned_matmul::try_algorithm(std::size_t index, cudaStream_t stream) const {
  return enqueue(index, stream) == CUBLAS_STATUS_SUCCESS;
}

void planned_matmul::choose_fastest(cudaStream_t stream, const void* a, const void* b) {
  const auto own_a = std::exchange(product_.a.data, a), own_b = std::exchange(product_.b.data, b);
  constexpr int rounds = 7;
  std::vector<std::vector<float>> times(algorithms_.size());
  stopwatch watch(stream);
  // Rounds over all algorithms, so that the clock's wandering meets them alike; the first warms up.
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < algorithms_.size(); ++i) {
      watch.start();
      const bool ran = try_algorithm(i, stream);
      const float milliseconds = watch.stop();
      if (round > 0) times[i].push_back(ran ? milliseconds : std::numeric_limits<float>::infinity());
    }
  }
  const auto best = std::ranges::min_element(times, {}, [](std::vector<float>& each) {
    std::ranges::nth_element(each, each.begin() + rounds / 2);
    return each[rounds / 2];
  });
  std::swap(algorithms_.front(), algorithms_[static_cast<std::size_t>(best - times.begin())]);
  product_.a.data = own_a, product_.b.data = own_b;
}

}  // namespace ridge::vendor
