// SPDX-License-Identifier: Apache-2.0
// What libridge_trace.so needs of fmt, compiled in, so that it asks for no library in C++.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
