# SPDX-License-Identifier: Apache-2.0
# cmake -P: writes OUTPUT from TEMPLATE with the version and the commit of SOURCE_DIR, only when something changed.
# Run at every build, so that a program never names another commit than the one it was made of.
set(RIDGE_COMMIT "")
find_program(git_program git)
if(git_program)
  execute_process(COMMAND ${git_program} -C ${SOURCE_DIR} describe --always --dirty=+ --abbrev=7 --exclude=*
    OUTPUT_VARIABLE RIDGE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(RIDGE_COMMIT_IN_BRACKETS "")
if(RIDGE_COMMIT)
  set(RIDGE_COMMIT_IN_BRACKETS " (${RIDGE_COMMIT})")
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
