# A file as a constant of a program: heddle_embed(<file> <namespace> <constant> <variable>) sets the
# variable to a source file that defines `const char *const <namespace>::<constant>`.
function(heddle_embed file namespace constant variable)
  get_filename_component(file "${file}" ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" content)
  get_filename_component(name "${file}" NAME)
  set(source "${CMAKE_BINARY_DIR}/embedded/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
    "namespace @namespace@ {\nextern const char *const @constant@;\nconst char *const @constant@ = R\"EMBEDDED(@content@)EMBEDDED\";\n}\n")
  set(${variable} "${source}" PARENT_SCOPE)
endfunction()
