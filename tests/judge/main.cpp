// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string_view>

#include <ridge/judge/runner.hpp>

#include "chain.hpp"
#include "simulated_gpu.hpp"

// The tests, and the runner that their judgements start.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "judge-runner")
    return ridge::judge::run_as_runner(ridge::chain::named, ridge::judge::open_simulated_gpu);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
