// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Reads one trace format. Every backend implements it, without state.
class importer {
 public:
  virtual ~importer() = default;
  [[nodiscard]] virtual std::string_view format() const = 0;  // "chrome_json"
  // Returns whether the content is of this format, judged by its first bytes (up to 64 KiB, uncompressed),
  // never by a name.
  [[nodiscard]] virtual bool recognises(std::string_view head) const = 0;
  // Returns the rank that the first bytes name, so that other ranks need not be read; nullopt where they do
  // not name it.
  [[nodiscard]] virtual std::optional<int> rank_in(std::string_view /*head*/) const { return std::nullopt; }
  // Reads a trace. A damaged input gives what it holds, and the trace's quality says what was lost; an error
  // is returned only where nothing can be read. `origin` holds path, container and sizes; the importer adds
  // the rest.
  [[nodiscard]] virtual result<trace> read(byte_source& source, origin origin,
                                           const read_limits& limits) const = 0;
};

}  // namespace ridge::trace
