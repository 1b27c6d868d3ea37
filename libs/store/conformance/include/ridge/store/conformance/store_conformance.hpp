// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every store must do. A backend's test opens one folder of tests by
//   INSTANTIATE_TEST_SUITE_P(name, store_conformance, testing::Values(open));
// where open() gives a store that holds nothing, and open() of the same location again a second view of it.
#include <ridge/store/conformance/tests_of_runs.hpp>
#include <ridge/store/conformance/tests_of_series.hpp>
#include <ridge/store/conformance/tests_of_whole_runs.hpp>
