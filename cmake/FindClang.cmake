# Chooses clang-19 before project() settles on the system's default compiler,
# and refuses any other compiler: upstream's runtime is built and tested with
# the clang of its own release, and the wrappers need its driver.
set(HEDDLE_LLVM_MAJOR 19)
set(HEDDLE_LLVM_VERSION 19.1.7)

foreach(pair C:clang CXX:clang++)
  string(REPLACE ":" ";" pair "${pair}")
  list(GET pair 0 lang)
  list(GET pair 1 tool)
  if(NOT DEFINED CMAKE_${lang}_COMPILER)
    find_program(HEDDLE_${lang}_COMPILER NAMES ${tool}-${HEDDLE_LLVM_MAJOR}
                 PATHS /usr/lib/llvm-${HEDDLE_LLVM_MAJOR}/bin)
    if(NOT HEDDLE_${lang}_COMPILER)
      message(FATAL_ERROR
        "Heddle needs ${tool}-${HEDDLE_LLVM_MAJOR}, and it is not on the PATH.\n"
        "Install it with\n    apt-get install clang-${HEDDLE_LLVM_MAJOR} libclang-rt-${HEDDLE_LLVM_MAJOR}-dev\n"
        "or name it with -DCMAKE_${lang}_COMPILER=/path/to/${tool}.")
    endif()
    set(CMAKE_${lang}_COMPILER "${HEDDLE_${lang}_COMPILER}")
  endif()
endforeach()
set(CMAKE_ASM_COMPILER "${CMAKE_C_COMPILER}")

function(heddle_check_compiler)
  foreach(lang C CXX)
    if(NOT CMAKE_${lang}_COMPILER_ID STREQUAL "Clang" OR
       NOT CMAKE_${lang}_COMPILER_VERSION MATCHES "^${HEDDLE_LLVM_MAJOR}\\.")
      message(FATAL_ERROR
        "Heddle builds with clang ${HEDDLE_LLVM_MAJOR}, but CMAKE_${lang}_COMPILER is "
        "${CMAKE_${lang}_COMPILER} (${CMAKE_${lang}_COMPILER_ID} ${CMAKE_${lang}_COMPILER_VERSION}).\n"
        "Install it with\n    apt-get install clang-${HEDDLE_LLVM_MAJOR}\n"
        "remove the build directory and configure again without CC, CXX and CMAKE_${lang}_COMPILER set.\n"
        "docs/newer-llvm.md says what moving to another LLVM release takes.")
    endif()
  endforeach()
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR
     NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
    message(FATAL_ERROR
      "Heddle runs on Linux on x86_64 (tested) and aarch64 (not tested), "
      "not on ${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}.")
  endif()
endfunction()
