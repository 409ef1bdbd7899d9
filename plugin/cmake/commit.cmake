# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Run at every build: writes OUTPUT, a header with the commit that is being built, if it has changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=9 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(text "#define STRUT_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
