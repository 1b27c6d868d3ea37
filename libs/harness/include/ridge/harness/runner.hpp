// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that plans, verifies and measures experiments, in one header for programs.
#include <ridge/harness/gpu_families.hpp>
#include <ridge/harness/listener.hpp>
#include <ridge/harness/measure_family.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/harness/requirements.hpp>
#include <ridge/harness/run_all.hpp>
