# SPDX-License-Identifier: Apache-2.0
target_link_libraries(${target} PRIVATE ridge::cpu ridge::vendor_openblas ridge::vendor_onednn)
