# The runtime's libraries, from the overlay, with the flags upstream's own build
# uses: clang_rt.tsan (static and shared), clang_rt.tsan_cxx, and the lists of
# symbols that an executable must export for shared libraries and plugins.
#
# What differs from upstream's build: the sources are found in the overlay
# instead of listed (all of sanitizer_common but the libc-free variants), and
# the debug paths are made independent of the build directory.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(HEDDLE_NM NAMES llvm-nm-${HEDDLE_LLVM_MAJOR} llvm-nm nm)
if(NOT HEDDLE_NM)
  message(FATAL_ERROR "No nm on the PATH to list the runtime's symbols with. "
                      "Install it with\n    apt-get install llvm-${HEDDLE_LLVM_MAJOR}")
endif()

set(HEDDLE_ARCH ${CMAKE_SYSTEM_PROCESSOR})
set(HEDDLE_RESOURCE_SUBDIR lib/heddle/clang/${HEDDLE_LLVM_MAJOR})
set(HEDDLE_RESOURCE_DIR "${CMAKE_BINARY_DIR}/${HEDDLE_RESOURCE_SUBDIR}")
set(HEDDLE_RUNTIME_DIR "${HEDDLE_RESOURCE_DIR}/lib/linux")

set(runtime_flags
  -O3 -gline-tables-only "-ffile-prefix-map=${HEDDLE_OVERLAY}=/heddle" -ffile-compilation-dir=/heddle
  -fPIC -fno-builtin -fno-exceptions -fomit-frame-pointer -funwind-tables
  -fno-stack-protector -fvisibility=hidden -fvisibility-inlines-hidden -fno-lto
  -ftrivial-auto-var-init=pattern
  -Wall -Wno-unused-parameter -Wno-format -Wthread-safety)
set(runtime_cxx_flags -nostdinc++)
set(tsan_flags -fno-rtti -Wglobal-constructors)
if(HEDDLE_ARCH STREQUAL "x86_64")
  list(APPEND tsan_flags -msse4.2)
  set(arch_suffix amd64)
else()
  set(arch_suffix ${HEDDLE_ARCH})
endif()

file(GLOB common_sources CONFIGURE_DEPENDS
     "${HEDDLE_LIB}/sanitizer_common/*.cpp" "${HEDDLE_LIB}/interception/*.cpp")
list(FILTER common_sources EXCLUDE REGEX "nolibc\\.cpp$")
file(GLOB tsan_sources CONFIGURE_DEPENDS "${HEDDLE_LIB}/tsan/rtl/*.cpp")
list(FILTER tsan_sources EXCLUDE REGEX
     "(_mac|_mach_vm|_libdispatch|_windows|tsan_new_delete|tsan_preinit)\\.cpp$")
list(APPEND tsan_sources "${HEDDLE_LIB}/tsan/rtl/tsan_rtl_${arch_suffix}.S")
file(GLOB heddle_sources CONFIGURE_DEPENDS "${HEDDLE_LIB}/heddle/*/*.cpp" "${HEDDLE_LIB}/heddle/*/*.c")
# What is to run when the program's exceptions pass through the runtime is C.
set_source_files_properties("${HEDDLE_LIB}/heddle/rtl/heddle_unwind.c" PROPERTIES
                            COMPILE_OPTIONS "-fexceptions;-Wno-unused-command-line-argument")
set_source_files_properties("${HEDDLE_LIB}/heddle/demo/demo_zlib.cpp" PROPERTIES
                            COMPILE_DEFINITIONS "${HEDDLE_ZLIB_NAMES}" INCLUDE_DIRECTORIES "${HEDDLE_ZLIB_INCLUDE}")
# The public header, which is not part of the overlay.
set_source_files_properties("${HEDDLE_LIB}/heddle/rtl/heddle_explore.cpp"
                            "${HEDDLE_LIB}/heddle/rtl/heddle_explore_settings.cpp" PROPERTIES
                            COMPILE_DEFINITIONS HEDDLE_INTERFACE_C_ONLY
                            INCLUDE_DIRECTORIES "${CMAKE_SOURCE_DIR}/include")
set(ubsan_sources "")
foreach(name diag init flags handlers monitor value)
  list(APPEND ubsan_sources "${HEDDLE_LIB}/ubsan/ubsan_${name}.cpp")
endforeach()
set(ubsan_cxx_sources "")
foreach(name handlers_cxx type_hash type_hash_itanium type_hash_win)
  list(APPEND ubsan_cxx_sources "${HEDDLE_LIB}/ubsan/ubsan_${name}.cpp")
endforeach()

function(runtime_objects name)
  cmake_parse_arguments(objects "" "" "SOURCES;FLAGS;DEFINITIONS" ${ARGN})
  add_library(${name} OBJECT ${objects_SOURCES})
  target_include_directories(${name} PRIVATE
    "${HEDDLE_LIB}" "${HEDDLE_LIB}/tsan/rtl" "${HEDDLE_OVERLAY}" "${HEDDLE_COMPILER_RT}/include")
  target_compile_definitions(${name} PRIVATE HAVE_RPC_XDR_H=0 ${objects_DEFINITIONS})
  target_compile_options(${name} PRIVATE ${runtime_flags} ${objects_FLAGS}
                         $<$<COMPILE_LANGUAGE:CXX>:${runtime_cxx_flags}>)
endfunction()

runtime_objects(rt_common SOURCES ${common_sources} FLAGS -fno-rtti)
runtime_objects(rt_ubsan SOURCES ${ubsan_sources} FLAGS -fno-rtti DEFINITIONS UBSAN_CAN_USE_CXXABI=1)
runtime_objects(rt_ubsan_cxx SOURCES ${ubsan_cxx_sources} FLAGS -frtti DEFINITIONS UBSAN_CAN_USE_CXXABI=1)
# -fPIE, not -fPIC, in the static runtime: position-independent library code
# spills more registers on the paths that every memory access takes.
# Ours first: an interceptor of ours and upstream's are both weak, and the linker
# takes the first.
runtime_objects(rt_tsan SOURCES ${heddle_sources} ${tsan_sources} "${HEDDLE_LIB}/tsan/rtl/tsan_preinit.cpp"
                FLAGS ${tsan_flags} -fPIE)
runtime_objects(rt_tsan_shared SOURCES ${heddle_sources} ${tsan_sources}
                FLAGS ${tsan_flags} DEFINITIONS SANITIZER_SHARED)
runtime_objects(rt_tsan_cxx SOURCES "${HEDDLE_LIB}/tsan/rtl/tsan_new_delete.cpp" FLAGS ${tsan_flags} -fPIE)

add_library(tsan_static STATIC
  $<TARGET_OBJECTS:rt_tsan> $<TARGET_OBJECTS:rt_common> $<TARGET_OBJECTS:rt_ubsan> "${HEDDLE_ZLIB_OBJECT}")
set_target_properties(tsan_static PROPERTIES OUTPUT_NAME clang_rt.tsan-${HEDDLE_ARCH})
add_library(tsan_cxx STATIC $<TARGET_OBJECTS:rt_tsan_cxx> $<TARGET_OBJECTS:rt_ubsan_cxx>)
set_target_properties(tsan_cxx PROPERTIES OUTPUT_NAME clang_rt.tsan_cxx-${HEDDLE_ARCH})
add_library(tsan_shared SHARED
  $<TARGET_OBJECTS:rt_tsan_shared> $<TARGET_OBJECTS:rt_common> $<TARGET_OBJECTS:rt_ubsan> "${HEDDLE_ZLIB_OBJECT}")
add_dependencies(tsan_static zlib_object)
add_dependencies(tsan_shared zlib_object)
set_target_properties(tsan_shared PROPERTIES OUTPUT_NAME clang_rt.tsan-${HEDDLE_ARCH})
target_link_options(tsan_shared PRIVATE -nodefaultlibs -nostdlib++ -Wl,-z,text)
target_link_libraries(tsan_shared PRIVATE gcc_s c dl m pthread)
set_target_properties(tsan_static tsan_cxx tsan_shared PROPERTIES
  LINKER_LANGUAGE CXX
  ARCHIVE_OUTPUT_DIRECTORY "${HEDDLE_RUNTIME_DIR}"
  LIBRARY_OUTPUT_DIRECTORY "${HEDDLE_RUNTIME_DIR}")

set(symbol_lists "")
foreach(library tsan_static tsan_cxx)
  set(list "$<TARGET_FILE:${library}>.syms")
  add_custom_command(TARGET ${library} POST_BUILD
    COMMAND "${Python3_EXECUTABLE}" "${HEDDLE_COMPILER_RT}/lib/sanitizer_common/scripts/gen_dynamic_list.py"
            --extra "${HEDDLE_COMPILER_RT}/lib/tsan/rtl/tsan.syms.extra"
            --extra "${CMAKE_SOURCE_DIR}/lib/heddle/rtl/heddle.syms.extra"
            --nm-executable "${HEDDLE_NM}" "$<TARGET_FILE:${library}>" -o "${list}"
    VERBATIM)
endforeach()
add_custom_target(runtime ALL DEPENDS tsan_static tsan_cxx tsan_shared)
