// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/openblas.hpp>

#include <cstdlib>

#include <ridge/base/text.hpp>
#include <ridge/host/shared_library.hpp>
#include <ridge/host/topology.hpp>

#include "core_type.hpp"

namespace ridge::vendor {
namespace {

// Sets a variable that the user has not set, until the end of the scope.
class passing_variable final {
 public:
  passing_variable(const char* name, const std::string& value) : name_(name) {
    set_ = !value.empty() && std::getenv(name) == nullptr && setenv(name, value.c_str(), 0) == 0;
  }
  ~passing_variable() {
    if (set_) unsetenv(name_);
  }
  passing_variable(const passing_variable&) = delete;
  passing_variable& operator=(const passing_variable&) = delete;

 private:
  const char* name_;
  bool set_ = false;
};

// OpenBLAS reads its environment once, while it is being loaded.
host::shared_library open_library() {
  const auto core = openblas_core_type(host::isa_names(), host::read_topology().cpu.vendor);
  const passing_variable core_type("OPENBLAS_CORETYPE", core);
  const passing_variable threads("OPENBLAS_NUM_THREADS", "1");
  return {{"libopenblas.so.0", "libopenblas.so"}, "OpenBLAS", "apt-get install libopenblas0-pthread"};
}

struct openblas_functions {
  host::shared_library library = open_library();
  decltype(&cblas_sgemm) sgemm = library.function<decltype(cblas_sgemm)>("cblas_sgemm");
  decltype(&cblas_sgemv) sgemv = library.function<decltype(cblas_sgemv)>("cblas_sgemv");
  decltype(&cblas_sdot) sdot = library.function<decltype(cblas_sdot)>("cblas_sdot");
  decltype(&openblas_get_corename) corename =
      library.function<decltype(openblas_get_corename)>("openblas_get_corename");
  decltype(&openblas_get_config) config =
      library.function<decltype(openblas_get_config)>("openblas_get_config");
  decltype(&openblas_set_num_threads) set_threads =
      library.function<decltype(openblas_set_num_threads)>("openblas_set_num_threads");
};

const openblas_functions& openblas() {
  static const openblas_functions loaded;
  return loaded;
}

}  // namespace

result<std::string> find_openblas() {
  try {
    // "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY ..."
    const auto words = split(openblas().config(), ' ');
    const std::string version(words.size() > 1 ? words[1] : "");
    return "OpenBLAS " + version + ", " + openblas().corename() + " kernels";
  } catch (const unavailable& e) {
    return e.why();
  }
}

}  // namespace ridge::vendor

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a,
                 int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  ridge::vendor::openblas().sgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_sgemv(int order, int trans, int m, int n, float alpha, const float* a, int lda, const float* x,
                 int incx, float beta, float* y, int incy) {
  ridge::vendor::openblas().sgemv(order, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

float cblas_sdot(int n, const float* x, int incx, const float* y, int incy) {
  return ridge::vendor::openblas().sdot(n, x, incx, y, incy);
}

char* openblas_get_corename(void) { return ridge::vendor::openblas().corename(); }

char* openblas_get_config(void) { return ridge::vendor::openblas().config(); }

void openblas_set_num_threads(int threads) { ridge::vendor::openblas().set_threads(threads); }
