# SPDX-License-Identifier: Apache-2.0
find_package(hwy REQUIRED)
target_link_libraries(${target} PRIVATE hwy::hwy)
