# What turns the runtime into something a compiler can use: a resource
# directory, which is the system compiler's own with our runtime in it, and the
# wrappers heddle-clang and heddle-clang++ that pass it on.
execute_process(COMMAND "${CMAKE_C_COMPILER}" -print-resource-dir
                OUTPUT_VARIABLE system_resource_dir OUTPUT_STRIP_TRAILING_WHITESPACE)
file(REAL_PATH "${system_resource_dir}" HEDDLE_SYSTEM_RESOURCE_DIR)
file(REAL_PATH "${CMAKE_C_COMPILER}" HEDDLE_SYSTEM_CLANG)

include(ResourceDir)
lay_resource_dir("${HEDDLE_RESOURCE_DIR}" "${HEDDLE_SYSTEM_RESOURCE_DIR}")
file(GLOB public_headers CONFIGURE_DEPENDS
     "${HEDDLE_COMPILER_RT}/include/sanitizer/*.h" "${CMAKE_SOURCE_DIR}/include/sanitizer/*.h")
foreach(header IN LISTS public_headers)
  get_filename_component(name "${header}" NAME)
  file(CREATE_LINK "${header}" "${HEDDLE_RESOURCE_DIR}/include/sanitizer/${name}" SYMBOLIC)
endforeach()

add_executable(heddle-clang utils/heddle-clang/heddle-clang.c)
target_compile_definitions(heddle-clang PRIVATE
  HEDDLE_LLVM_MAJOR="${HEDDLE_LLVM_MAJOR}"
  HEDDLE_SYSTEM_CLANG="${HEDDLE_SYSTEM_CLANG}"
  HEDDLE_RESOURCE_SUBDIR="${HEDDLE_RESOURCE_SUBDIR}")
set_target_properties(heddle-clang PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin" C_STANDARD 11)
add_custom_command(TARGET heddle-clang POST_BUILD
  COMMAND "${CMAKE_COMMAND}" -E create_symlink heddle-clang "${CMAKE_BINARY_DIR}/bin/heddle-clang++" VERBATIM)
