// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/measure/clock.hpp>
#include <ridge/measure/counters.hpp>
#include <ridge/measure/energy_meter.hpp>
#include <ridge/measure/gpu_meter.hpp>
#include <ridge/measure/gpu_tracer.hpp>
#include <ridge/measure/interference.hpp>

// What every implementation of a measure interface must do, as GoogleTest expectations; each backend's test
// calls its own. They hold on any machine: what is not available must say so.
namespace ridge::measure::conformance {

// Monotone over many readings, agrees with std::chrono::steady_clock within 1 % over 20 ms of work, claims a
// resolution and a cost that are possible.
void expect_clock(const clock& subject);

// Either works (counts grow with work, a second start begins at zero) or says why not and reads nothing.
void expect_counters(counters& subject);

// Either never decreases and names what it meters, or says why not and stays at zero.
void expect_energy_meter(energy_meter& subject);

// Either every value it reads is one that a GPU can have, or it says why not and reads nothing.
void expect_gpu_meter(gpu_meter& subject);

// Either what it records of an idle GPU is in order and complete, or it says why not and records nothing.
void expect_gpu_tracer(gpu_tracer& subject);

// Sees an idle thread as not running and a working one as running, counts page faults, starts anew each time.
void expect_interference_meter(interference_meter& subject);

}  // namespace ridge::measure::conformance
