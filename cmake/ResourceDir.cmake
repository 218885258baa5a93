# lay_resource_dir(directory system) makes `directory` a clang resource
# directory that links to everything in `system` but ThreadSanitizer's runtime
# and the sanitizers' headers, which are ours to provide. Used when configuring
# and, on the machine it is installed on, when installing.

# An install script starts with no policies set.
cmake_policy(VERSION 3.25)

function(lay_resource_dir directory system)
  # Clang looks for a runtime in lib/<triple> first and in lib/linux, where ours
  # is, after that. Which of them a clang came with depends on who built it.
  file(GLOB lib_subdirs LIST_DIRECTORIES TRUE RELATIVE "${system}" "${system}/lib/*")
  list(FILTER lib_subdirs INCLUDE REGEX "linux")
  file(MAKE_DIRECTORY "${directory}/include/sanitizer" "${directory}/lib/linux")
  foreach(subdir "" include lib ${lib_subdirs})
    file(MAKE_DIRECTORY "${directory}/${subdir}")
    file(GLOB entries LIST_DIRECTORIES TRUE RELATIVE "${system}/${subdir}" "${system}/${subdir}/*")
    foreach(entry IN LISTS entries)
      set(path "${subdir}/${entry}")
      if(NOT path MATCHES "^(/include|/lib|include/sanitizer)$" AND
         NOT path IN_LIST lib_subdirs AND
         NOT path MATCHES "/libclang_rt\\.tsan")
        file(CREATE_LINK "${system}/${path}" "${directory}/${path}" SYMBOLIC)
      endif()
    endforeach()
  endforeach()
endfunction()
