// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// Reads `source` ahead on a thread of its own, up to three blocks of 4 MiB, so that unpacking and parsing
// overlap. An exception of `source` is thrown by read() after the bytes before it.
[[nodiscard]] std::unique_ptr<byte_source> ahead_source(std::unique_ptr<byte_source> source);

}  // namespace ridge::trace
