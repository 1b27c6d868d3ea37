// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <ridge/base/units.hpp>

int main() { std::puts(ridge::format_quantity(65536, "B").c_str()); }
