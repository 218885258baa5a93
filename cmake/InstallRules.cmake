# What `cmake --install` puts under the prefix, and the CMake package.
#
#   bin/heddle-clang, bin/heddle-clang++   the wrappers
#   lib/heddle/clang/<major>               the resource directory
#   lib/cmake/Heddle                       find_package(Heddle), the toolchain file
#   share/doc/Heddle                       what there is to read
#   share/man, share/bash-completion, ...  the heddle command's pages and completion (utils/heddle)
#
# The build tree has the same layout, and nothing in either names an absolute
# path of Heddle's own: the wrappers start from /proc/self/exe, the package from
# the directory it is in. So one set of files serves both trees, and both can be
# moved. That is also why bin and lib are fixed here and not CMAKE_INSTALL_BINDIR
# and CMAKE_INSTALL_LIBDIR: the wrapper looks for ../lib.
include(CMakePackageConfigHelpers)

set(package_subdir lib/cmake/Heddle)
set(package_dir "${CMAKE_BINARY_DIR}/${package_subdir}")
configure_file(cmake/HeddleConfig.cmake.in "${package_dir}/HeddleConfig.cmake" @ONLY)
configure_file(cmake/heddle-toolchain.cmake.in "${package_dir}/heddle-toolchain.cmake" @ONLY)
# Before 1.0 a minor version may change what an option means.
write_basic_package_version_file("${package_dir}/HeddleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${package_dir}/HeddleConfig.cmake"
  "${package_dir}/HeddleConfigVersion.cmake"
  "${package_dir}/heddle-toolchain.cmake"
  DESTINATION ${package_subdir})

install(TARGETS heddle-clang RUNTIME DESTINATION bin)
# A relative link, and installed as the link it is.
install(FILES "${CMAKE_BINARY_DIR}/bin/heddle-clang++" DESTINATION bin)

# The rest of the resource directory belongs to the clang of the machine that
# Heddle is installed on, and is linked to, not copied: an update of clang
# updates it here as well.
install(CODE "
  include(\"${CMAKE_SOURCE_DIR}/cmake/ResourceDir.cmake\")
  lay_resource_dir(\"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${HEDDLE_RESOURCE_SUBDIR}\"
                   \"${HEDDLE_SYSTEM_RESOURCE_DIR}\")")
set(runtime_subdir ${HEDDLE_RESOURCE_SUBDIR}/lib/linux)
install(TARGETS tsan_static tsan_cxx tsan_shared
  ARCHIVE DESTINATION ${runtime_subdir}
  LIBRARY DESTINATION ${runtime_subdir})
install(FILES "$<TARGET_FILE:tsan_static>.syms" "$<TARGET_FILE:tsan_cxx>.syms" DESTINATION ${runtime_subdir})
# From the sources, not from the build tree, where they are links.
install(FILES ${public_headers} DESTINATION ${HEDDLE_RESOURCE_SUBDIR}/include/sanitizer)

set(doc_subdir "${CMAKE_INSTALL_DATAROOTDIR}/doc/Heddle")
install(FILES README.md LICENSE CHANGELOG.md DESTINATION "${doc_subdir}" OPTIONAL)
# Below docs, as in the repository, so that README.md's links hold.
install(DIRECTORY docs/ DESTINATION "${doc_subdir}/docs" OPTIONAL FILES_MATCHING PATTERN "*.md")
