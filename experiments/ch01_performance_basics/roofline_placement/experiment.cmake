# SPDX-License-Identifier: Apache-2.0
# The plain loops with what a compiler makes of them; the others are vectorized by hand.
set_source_files_properties(${folder}/plain.cpp PROPERTIES COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON)
