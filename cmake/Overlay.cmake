# The overlay: one source tree made of two.
#
#   <build>/overlay/compiler-rt/lib   what the runtime is compiled from: links
#                                     to upstream's lib/, with our lib/ on top
#   <build>/overlay/upstream          upstream's lib/, untouched, for a file of
#                                     ours that extends the one it replaces
#
# A file of ours at the same path replaces upstream's. A file that a seam names
# is a copy with one line more. Everything else is a link, so an edit in lib/
# rebuilds without configuring again. "/compiler-rt/lib/" must be part of the
# path: by it upstream recognises its own frames and strips them from reports.
set(HEDDLE_OVERLAY "${CMAKE_BINARY_DIR}/overlay")
set(HEDDLE_LIB "${HEDDLE_OVERLAY}/compiler-rt/lib")
set(overlay_components tsan sanitizer_common interception ubsan)

file(REMOVE_RECURSE "${HEDDLE_OVERLAY}/upstream")
file(MAKE_DIRECTORY "${HEDDLE_LIB}")
file(CREATE_LINK "${HEDDLE_COMPILER_RT}/lib" "${HEDDLE_OVERLAY}/upstream" SYMBOLIC)

# Makes `path` below the overlay a link to `target`, touching nothing that is
# right already.
function(overlay_link path target)
  set(link "${HEDDLE_LIB}/${path}")
  if(IS_SYMLINK "${link}")
    file(READ_SYMLINK "${link}" current)
    if(current STREQUAL target)
      return()
    endif()
  endif()
  get_filename_component(dir "${link}" DIRECTORY)
  file(MAKE_DIRECTORY "${dir}")
  file(REMOVE "${link}")
  file(CREATE_LINK "${target}" "${link}" SYMBOLIC)
endfunction()

file(GLOB_RECURSE our_files CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/lib"
     "${CMAKE_SOURCE_DIR}/lib/*")

set(wanted "")
foreach(component IN LISTS overlay_components)
  file(GLOB_RECURSE files RELATIVE "${HEDDLE_COMPILER_RT}/lib" "${HEDDLE_COMPILER_RT}/lib/${component}/*")
  foreach(file IN LISTS files)
    if(file MATCHES "\\.(h|inc|cpp|S|extra|py)$" AND NOT file MATCHES "^[a-z_]+/(tests|go|dd)/")
      list(APPEND wanted "${file}")
    endif()
  endforeach()
endforeach()

# heddle_seam(NAME name FILE file ANCHOR line INSERT line REASON text)
# notes that FILE gets the line INSERT right after the line ANCHOR.
# ANCHOR may span several lines; it must match exactly once.
set(seamed_files "")
function(heddle_seam)
  cmake_parse_arguments(PARSE_ARGV 0 seam "" "NAME;FILE;ANCHOR;INSERT;REASON" "")
  set(target "${CMAKE_BINARY_DIR}/seams/${seam_FILE}")
  if(seam_FILE IN_LIST seamed_files)
    set(from "${target}.new")
  else()
    set(from "${HEDDLE_COMPILER_RT}/lib/${seam_FILE}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${from}")
    list(APPEND seamed_files "${seam_FILE}")
    set(seamed_files "${seamed_files}" PARENT_SCOPE)
  endif()
  if(NOT EXISTS "${from}")
    message(FATAL_ERROR "Seam ${seam_NAME}: compiler-rt has no file lib/${seam_FILE}.\n"
      "cmake/Seams.cmake is written for compiler-rt ${HEDDLE_LLVM_VERSION}; docs/newer-llvm.md says how to move a seam.")
  endif()
  file(READ "${from}" text)
  set(anchor "${seam_ANCHOR}\n")
  string(LENGTH "${anchor}" anchor_length)
  set(count 0)
  set(rest "${text}")
  while(TRUE)
    string(FIND "${rest}" "${anchor}" at)
    if(at EQUAL -1)
      break()
    endif()
    math(EXPR count "${count} + 1")
    math(EXPR next "${at} + ${anchor_length}")
    string(SUBSTRING "${rest}" ${next} -1 rest)
  endwhile()
  if(NOT count EQUAL 1)
    message(FATAL_ERROR
      "Seam ${seam_NAME}: its anchor matches ${count} times in lib/${seam_FILE}, and must match once:\n${seam_ANCHOR}\n"
      "The source in ${HEDDLE_COMPILER_RT} is not compiler-rt ${HEDDLE_LLVM_VERSION}, or has been edited. "
      "Restore it (remove ${HEDDLE_CACHE} to download it again), or move the seam as docs/newer-llvm.md says.")
  endif()
  string(FIND "${text}" "${anchor}" at)
  math(EXPR split "${at} + ${anchor_length}")
  string(SUBSTRING "${text}" 0 ${split} head)
  string(SUBSTRING "${text}" ${split} -1 tail)
  file(WRITE "${target}.new" "${head}${seam_INSERT}\n${tail}")
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/cmake/Seams.cmake")
include(Seams)

foreach(file IN LISTS seamed_files)
  if(file IN_LIST our_files)
    message(FATAL_ERROR "lib/${file} is ours and has a seam as well: put what the seam inserts into our file.")
  endif()
  set(generated "${CMAKE_BINARY_DIR}/seams/${file}")
  file(COPY_FILE "${generated}.new" "${generated}" ONLY_IF_DIFFERENT)
  file(REMOVE "${generated}.new")
  overlay_link("${file}" "${generated}")
endforeach()
foreach(file IN LISTS wanted)
  if(NOT file IN_LIST seamed_files AND NOT file IN_LIST our_files)
    overlay_link("${file}" "${HEDDLE_COMPILER_RT}/lib/${file}")
  endif()
endforeach()
foreach(file IN LISTS our_files)
  overlay_link("${file}" "${CMAKE_SOURCE_DIR}/lib/${file}")
endforeach()

# What an earlier configuration linked and this one does not.
file(GLOB_RECURSE present RELATIVE "${HEDDLE_LIB}" "${HEDDLE_LIB}/*")
foreach(file IN LISTS present)
  if(NOT file IN_LIST wanted AND NOT file IN_LIST our_files AND NOT file IN_LIST seamed_files)
    file(REMOVE "${HEDDLE_LIB}/${file}")
  endif()
endforeach()
