# Where compiler-rt's source comes from. Sets HEDDLE_COMPILER_RT, the directory
# that holds compiler-rt's lib/, include/ and test/.
#
# Either the user names it, or utils/fetch-compiler-rt downloads Debian's source
# package once into a cache outside the build tree.
set(HEDDLE_COMPILER_RT_SOURCE "" CACHE PATH
    "compiler-rt ${HEDDLE_LLVM_VERSION} source: a checkout of llvm-project or its compiler-rt directory. Empty: Debian's source package is downloaded once.")

if(DEFINED ENV{HEDDLE_CACHE})
  set(cache_default "$ENV{HEDDLE_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(cache_default "$ENV{XDG_CACHE_HOME}/heddle")
else()
  set(cache_default "$ENV{HOME}/.cache/heddle")
endif()
set(HEDDLE_CACHE "${cache_default}" CACHE PATH
    "Where a downloaded compiler-rt source is kept for all build directories.")

if(HEDDLE_COMPILER_RT_SOURCE)
  set(candidates "${HEDDLE_COMPILER_RT_SOURCE}/compiler-rt" "${HEDDLE_COMPILER_RT_SOURCE}")
  set(origin "-DHEDDLE_COMPILER_RT_SOURCE=${HEDDLE_COMPILER_RT_SOURCE}")
else()
  execute_process(
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/utils/fetch-compiler-rt" "${HEDDLE_CACHE}"
    OUTPUT_VARIABLE fetched OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR
      "No compiler-rt ${HEDDLE_LLVM_VERSION} source: the download failed as said above, "
      "and ${HEDDLE_CACHE} holds no earlier one.\n"
      "Mend the network or apt's sources, or pass -DHEDDLE_COMPILER_RT_SOURCE=DIR "
      "with a checkout of llvm-project at llvmorg-${HEDDLE_LLVM_VERSION}.")
  endif()
  set(candidates "${fetched}/compiler-rt")
  set(origin "the cache ${HEDDLE_CACHE}")
endif()

set(HEDDLE_COMPILER_RT "")
foreach(dir IN LISTS candidates)
  if(EXISTS "${dir}/lib/tsan/rtl/tsan_rtl.cpp")
    file(REAL_PATH "${dir}" HEDDLE_COMPILER_RT)
    break()
  endif()
endforeach()
if(NOT HEDDLE_COMPILER_RT)
  message(FATAL_ERROR
    "${origin} holds no compiler-rt: lib/tsan/rtl/tsan_rtl.cpp is in none of: ${candidates}.\n"
    "Name a checkout of llvm-project at llvmorg-${HEDDLE_LLVM_VERSION}, or its compiler-rt directory; "
    "for a damaged cache, remove it and configure again.")
endif()

# The version stands beside compiler-rt, in llvm-project's own cmake directory.
set(version_file "${HEDDLE_COMPILER_RT}/../cmake/Modules/LLVMVersion.cmake")
if(EXISTS "${version_file}")
  file(STRINGS "${version_file}" version_lines REGEX "set\\(LLVM_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^0-9;]" "" found "${version_lines}")
  string(REPLACE ";" "." found "${found}")
  if(NOT found STREQUAL HEDDLE_LLVM_VERSION)
    message(FATAL_ERROR
      "Heddle is a fork of compiler-rt ${HEDDLE_LLVM_VERSION}, but ${origin} holds version ${found}.\n"
      "Check out llvmorg-${HEDDLE_LLVM_VERSION}, or leave the option out to use Debian's source package; "
      "docs/newer-llvm.md says what moving to another release takes.")
  endif()
else()
  message(WARNING "${origin} does not say its version (no cmake/Modules/LLVMVersion.cmake beside it); "
                  "${HEDDLE_LLVM_VERSION} is assumed.")
endif()
message(STATUS "compiler-rt ${HEDDLE_LLVM_VERSION}: ${HEDDLE_COMPILER_RT}")
