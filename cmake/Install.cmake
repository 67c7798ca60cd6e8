# The files of an installation, in two components, and the packages that CPack makes of them:
#   tool      xlink, ld.xlink, xlink-inspect, machine files, pages, examples    package xlink
#   library   libxlink.a, headers, files for CMake and pkg-config               package libxlink-dev
# tools/package runs CPack. Install rules elsewhere that name no component belong to the tool.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tool)
include(CMakePackageConfigHelpers)

# ---- The tool ----------------------------------------------------------------------
install(TARGETS xlink xlink-inspect RUNTIME DESTINATION bin)
file(MAKE_DIRECTORY ${XLINK_GENERATED})
file(CREATE_LINK xlink ${XLINK_GENERATED}/ld.xlink SYMBOLIC) # for clang -fuse-ld=xlink
install(FILES ${XLINK_GENERATED}/ld.xlink DESTINATION bin)
file(CREATE_LINK ../../bin/xlink ${XLINK_GENERATED}/ld SYMBOLIC) # for gcc -B/usr/libexec/xlink
install(FILES ${XLINK_GENERATED}/ld DESTINATION libexec/xlink)
install(FILES cmake/copyright DESTINATION share/doc/xlink)
install(FILES cmake/copyright DESTINATION share/doc/libxlink-dev COMPONENT library)
install(DIRECTORY arch/machines DESTINATION share/xlink)
install(DIRECTORY examples DESTINATION share/doc/xlink)
file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} README.md CHANGELOG.md arch/*.md src/*.md src/*/*.md
     src/map/html/screenshots/*.png)
foreach(page ${pages})
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${page} DESTINATION share/doc/xlink/${folder})
endforeach()
if(XLINK_SANITIZE)
  return()
endif()

# ---- Manual pages and completions, from the programs' own --help ---------------------
set(XLINK_MANUALS ${PROJECT_BINARY_DIR}/share CACHE PATH
    "Manual pages and completions; a build for another processor takes them from a native one")
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  set(manual ${PROJECT_BINARY_DIR}/share/man/man1/xlink.1)
  add_custom_command(OUTPUT ${manual} VERBATIM
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/make-manuals $<TARGET_FILE_DIR:xlink>
            ${PROJECT_BINARY_DIR}/share
    DEPENDS xlink xlink-inspect tools/make-manuals)
  add_custom_target(manuals ALL DEPENDS ${manual})
endif()
install(DIRECTORY ${XLINK_MANUALS}/ DESTINATION share OPTIONAL) # none without Python

# ---- The library, of the rooms of a link ---------------------------------------------
set(XLINK_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE}) # Debian's, or lib/
add_library(xlink_library STATIC)
set_target_properties(xlink_library PROPERTIES OUTPUT_NAME xlink LINKER_LANGUAGE CXX)
set(room xlink_driver)
while(room) # each links with the one below
  target_sources(xlink_library PRIVATE $<TARGET_OBJECTS:${room}>)
  get_target_property(room ${room} LINK_LIBRARIES)
  list(FILTER room INCLUDE REGEX "^xlink_")
  list(REMOVE_ITEM room xlink_flags)
endwhile()
install(TARGETS xlink_library ARCHIVE DESTINATION ${XLINK_LIBDIR} COMPONENT library)
# The rooms whose headers driver/Driver.h includes.
foreach(room arch src/base src/input src/model src/output src/driver)
  string(REPLACE src/ "" folder ${room})
  file(GLOB headers ${room}/*.h ${room}/*.def)
  install(FILES ${headers} DESTINATION include/xlink/${folder} COMPONENT library)
endforeach()

# LLVM's libraries, zstd and zlib by name, for both files. LLVM's own CMake files are not used:
# they demand packages that no link needs.
set(open ${XLINK_LLVM_LIBS})
while(open) # a library ends behind all that need it
  list(POP_FRONT open name)
  list(REMOVE_ITEM llvm_names ${name})
  list(APPEND llvm_names ${name})
  get_target_property(needed ${name} INTERFACE_LINK_LIBRARIES)
  list(FILTER needed INCLUDE REGEX "^LLVM")
  list(APPEND open ${needed})
endwhile()
list(TRANSFORM llvm_names REPLACE "(.+)" "${LLVM_LIBRARY_DIR}/lib\\1.a" OUTPUT_VARIABLE llvm_files)
set(XLINK_LIBRARIES ${llvm_files} zstd z pthread)
list(JOIN llvm_files " " XLINK_LLVM_FILES)
foreach(file cmake/xlink/xlinkConfig.cmake pkgconfig/xlink.pc)
  get_filename_component(name ${file} NAME)
  get_filename_component(folder ${XLINK_LIBDIR}/${file} DIRECTORY)
  file(RELATIVE_PATH XLINK_PREFIX /${folder} /)
  configure_file(cmake/${name}.in ${XLINK_GENERATED}/${name} @ONLY)
  install(FILES ${XLINK_GENERATED}/${name} DESTINATION ${folder} COMPONENT library)
endforeach()
write_basic_package_version_file(${XLINK_GENERATED}/xlinkConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${XLINK_GENERATED}/xlinkConfigVersion.cmake
        DESTINATION ${XLINK_LIBDIR}/cmake/xlink COMPONENT library)

# ---- Packages ------------------------------------------------------------------------
# cmake/copyright is the one place of the licence and of the maintainer's name.
file(STRINGS cmake/copyright CPACK_PACKAGE_CONTACT REGEX "^Upstream-Contact: ")
string(REPLACE "Upstream-Contact: " "" CPACK_PACKAGE_CONTACT ${CPACK_PACKAGE_CONTACT})
set(CPACK_PACKAGE_NAME xlink)
set(CPACK_PACKAGE_FILE_NAME xlink-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_COMPONENTS_ALL tool library)
set(CPACK_COMPONENT_TOOL_DESCRIPTION "linker for small machines
xlink links static ELF executables for XMOS XS1, Nyuzi, Aphelion, UPMEM DPU,
Graphcore Colossus, and any processor that a text file describes. Command line
and linker scripts are those of GNU ld and lld.
.
xlink-inspect answers questions about the files of any linker: sizes, growth,
differences, and a page of the memory map.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "linker for small machines (library)
Static library, headers, and files for CMake (xlink::xlink) and pkg-config, to
link in a program of one's own, with inputs and outputs in files or in memory.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/PackageFiles.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME xlink)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libxlink-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "llvm-${LLVM_VERSION_MAJOR}-dev, zlib1g-dev, libzstd-dev")

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_TOOL_FILE_NAME ${CPACK_PACKAGE_FILE_NAME})
include(CPack)
