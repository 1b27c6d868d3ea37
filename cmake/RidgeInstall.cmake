# SPDX-License-Identifier: Apache-2.0
# cmake --install, and find_package(ridge) from the build tree and from the install tree.
