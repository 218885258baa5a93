# zlib for the runtime, which packs the recordings of a program with it. The
# program may have a zlib of its own, of any version, and may intercept what ours
# calls. So ours is Debian's static library made into one object that has no global
# symbol but hidden ones under names of our own, and that calls sanitizer_common's
# memcpy, memmove and memset, never libc's.
#
# Sets HEDDLE_ZLIB_OBJECT, a file that the target zlib_object makes, and
# HEDDLE_ZLIB_NAMES, the definitions under which demo_zlib.cpp finds it.
find_path(HEDDLE_ZLIB_INCLUDE zlib.h)
find_library(HEDDLE_ZLIB_ARCHIVE libz.a)
find_program(HEDDLE_OBJCOPY NAMES llvm-objcopy-${HEDDLE_LLVM_MAJOR} HINTS "/usr/lib/llvm-${HEDDLE_LLVM_MAJOR}/bin")
if(NOT HEDDLE_ZLIB_INCLUDE OR NOT HEDDLE_ZLIB_ARCHIVE)
  message(FATAL_ERROR "Heddle needs zlib as a static library, libz.a, and its header. "
                      "Install them with\n    apt-get install zlib1g-dev\n"
                      "or name them with -DHEDDLE_ZLIB_ARCHIVE=/path/to/libz.a and -DHEDDLE_ZLIB_INCLUDE=DIR.")
endif()
if(NOT HEDDLE_OBJCOPY)
  message(FATAL_ERROR "No llvm-objcopy-${HEDDLE_LLVM_MAJOR} on the PATH to rename zlib's symbols with. "
                      "Install it with\n    apt-get install llvm-${HEDDLE_LLVM_MAJOR}")
endif()

set(zlib_prefix heddle_z_)
# What demo_zlib.cpp calls.
set(zlib_functions deflateInit2_ deflate inflateInit2_ inflate crc32)
set(zlib_members adler32 crc32 deflate inffast inflate inftrees trees zutil)
# The prefix is put before what zlib uses as well as before what it has; this is
# what becomes of the former. malloc and free are ours to define, see
# heddle_zlib.cpp: zlib's default allocator calls them, and is never used.
set(zlib_renames "")
foreach(name memcpy memmove memset)
  list(APPEND zlib_renames --redefine-sym=${zlib_prefix}${name}=__sanitizer_internal_${name})
endforeach()
list(APPEND zlib_renames --redefine-sym=${zlib_prefix}__stack_chk_fail=__stack_chk_fail)

set(HEDDLE_ZLIB_NAMES "")
set(zlib_globals "")
foreach(name IN LISTS zlib_functions)
  list(APPEND HEDDLE_ZLIB_NAMES ${name}=${zlib_prefix}${name})
  list(APPEND zlib_globals --keep-global-symbol=${zlib_prefix}${name}
       --set-symbol-visibility=${zlib_prefix}${name}=hidden)
endforeach()

set(zlib_dir "${CMAKE_BINARY_DIR}/zlib")
file(MAKE_DIRECTORY "${zlib_dir}")
set(HEDDLE_ZLIB_OBJECT "${zlib_dir}/${zlib_prefix}all.o")
list(TRANSFORM zlib_members APPEND .o)
add_custom_command(OUTPUT "${HEDDLE_ZLIB_OBJECT}"
  COMMAND "${CMAKE_AR}" x "${HEDDLE_ZLIB_ARCHIVE}" ${zlib_members}
  COMMAND "${CMAKE_C_COMPILER}" -r -nostdlib -o whole.o ${zlib_members}
  COMMAND "${HEDDLE_OBJCOPY}" --strip-debug --prefix-symbols=${zlib_prefix} whole.o prefixed.o
  COMMAND "${HEDDLE_OBJCOPY}" ${zlib_renames} ${zlib_globals} prefixed.o "${HEDDLE_ZLIB_OBJECT}"
  DEPENDS "${HEDDLE_ZLIB_ARCHIVE}"
  WORKING_DIRECTORY "${zlib_dir}"
  COMMENT "Renaming zlib's symbols"
  VERBATIM)
add_custom_target(zlib_object DEPENDS "${HEDDLE_ZLIB_OBJECT}")
set_source_files_properties("${HEDDLE_ZLIB_OBJECT}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
