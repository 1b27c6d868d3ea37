// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <ridge/base/dtype.hpp>
#include <ridge/base/element.hpp>
#include <ridge/base/expects.hpp>

namespace ridge {

// Calls body.template operator()<T>() with the C++ type of `type` and returns what it returns: with_dtype(t,
// [&]<class T>() { ... }).
template <class Body>
decltype(auto) with_dtype(dtype type, Body&& body) {
  switch (type) {
    case dtype::u8:
      return body.template operator()<std::uint8_t>();
    case dtype::i8:
      return body.template operator()<std::int8_t>();
    case dtype::u16:
      return body.template operator()<std::uint16_t>();
    case dtype::i16:
      return body.template operator()<std::int16_t>();
    case dtype::u32:
      return body.template operator()<std::uint32_t>();
    case dtype::i32:
      return body.template operator()<std::int32_t>();
    case dtype::u64:
      return body.template operator()<std::uint64_t>();
    case dtype::i64:
      return body.template operator()<std::int64_t>();
    case dtype::e4m3:
      return body.template operator()<e4m3>();
    case dtype::e5m2:
      return body.template operator()<e5m2>();
    case dtype::fp16:
      return body.template operator()<fp16>();
    case dtype::bf16:
      return body.template operator()<bf16>();
    case dtype::fp32:
      return body.template operator()<float>();
    case dtype::fp64:
      break;
  }
  return body.template operator()<double>();
}

}  // namespace ridge
