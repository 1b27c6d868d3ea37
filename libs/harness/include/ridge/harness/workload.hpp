// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/device/stream.hpp>
#include <ridge/harness/counting.hpp>
#include <ridge/harness/phase.hpp>

// What an experiment's own header needs to declare its workload, its ladders and the launch functions of its
// kernels. It costs a compiler next to nothing, so kernels.cu includes it too: the one header of the harness
// that a .cu file may see.
namespace ridge {

template <class T>
using input = std::span<const T>;  // generated; checksummed; a variant never writes it
template <class T>
using output = std::span<T>;  // poisoned before every call, compared after
template <class T>
using inout = std::span<T>;  // generated, restored before every call, compared after

template <class Workload>
struct variant;
// The variants of an experiment on one backend; their definition is in <ridge/harness/variant.hpp>.
template <class Workload>
using ladder = std::vector<variant<Workload>>;
template <class Workload>
using ladder_of = ladder<Workload> (*)();  // null: this backend is not in this build

}  // namespace ridge
