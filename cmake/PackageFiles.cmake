# Run by CPack before it packs: the files that Debian's policy asks for beside the installed ones.
# CMake takes the time from SOURCE_DATE_EPOCH.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(pair tool:xlink library:libxlink-dev)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share)
  file(WRITE ${share}/doc/${package}/changelog "xlink (${CPACK_PACKAGE_VERSION}) unstable; \
urgency=medium\n\n  * Changes are in /usr/share/doc/xlink/CHANGELOG.md of the package xlink.\n
 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB manuals ${share}/man/man1/*.1)
  if(manuals MATCHES "/xlink\\.1")
    file(CREATE_LINK xlink.1.gz ${share}/man/man1/ld.xlink.1.gz SYMBOLIC)
  endif()
  execute_process(COMMAND gzip -9nf ${share}/doc/${package}/changelog ${manuals}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(WRITE ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/tool/usr/share/lintian/overrides/xlink
     "# Loading shared libraries would cost a small link more than the link.
xlink: statically-linked-binary *\nxlink: embedded-library *\n")
