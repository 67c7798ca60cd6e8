# Functions of the build: of how rooms are compiled, and of files that are compiled in.

# ---- Fewer, larger compilations ----------------------------------------------------
set(CMAKE_OPTIMIZE_DEPENDENCIES ON) # no archive waits for those of the rooms below
# Half of a compilation's time goes into headers of LLVM and libstdc++, so files of a room are
# compiled together, with precompiled headers. Nightly tests build without either: there a file
# that forgets one of its own includes does not compile.
set(XLINK_PRECOMPILED_HEADERS
    <algorithm> <functional> <map> <memory> <optional> <set> <string> <vector>
    <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h>
    <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/BinaryFormat/ELF.h>
    <llvm/Support/Endian.h>)
file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp "// Only its precompiled header matters.\n")

# A library that only owns a precompiled header for code with the options of `flags`.
function(xlink_precompile target flags)
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(${target} PRIVATE ${flags})
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()
if(XLINK_UNITY)
  xlink_precompile(xlink_precompiled xlink_flags ${XLINK_PRECOMPILED_HEADERS})
endif()
# Compiles the files of a room together, `batch` at a time; 0: all.
function(xlink_unity target batch)
  if(XLINK_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    target_precompile_headers(${target} REUSE_FROM xlink_precompiled)
  endif()
endfunction()

# ---- Files that are compiled in ------------------------------------------------------
set(XLINK_GENERATED ${PROJECT_BINARY_DIR}/generated)
# Writes NAME.inc, a C++ string of the files.
function(xlink_embed name)
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND content "R\"xlink-file(${text})xlink-file\"\n")
  endforeach()
  file(GENERATE OUTPUT ${XLINK_GENERATED}/${name}.inc CONTENT "${content}")
endfunction()
