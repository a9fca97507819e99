# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` and the Debian package contain: programs, the engine as libraries with
# headers, presets, kernels, studies, documentation, manual page, shell completion, and the
# studio's desktop entry.

include(CMakePackageConfigHelpers)

set(install_dir "${CMAKE_CURRENT_LIST_DIR}")

# --- programs' data ---------------------------------------------------------------------------

install(DIRECTORY hwpresets kernels bench/studies DESTINATION "${GRIDLOOM_INSTALL_DATADIR}")
install(DIRECTORY resources/docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY resources/example DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY resources/editors DESTINATION "${GRIDLOOM_INSTALL_DATADIR}")
install(FILES README.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

if(GRIDLOOM_STUDIO)
  install(FILES resources/licenses/GPL-3.0.txt DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  install(FILES "${install_dir}/gridloom-studio.desktop"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES resources/icons/gridloom.svg
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  install(FILES "${install_dir}/gridloom.xml"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
endif()

# --- manual page and completion ---------------------------------------------------------------

# Made by the command from its own table of options.
function(gridloom_generated what file folder)
  set(made "${CMAKE_BINARY_DIR}/generated/${file}")
  add_custom_command(OUTPUT "${made}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/generated"
    COMMAND gridloom_app_cli completion ${what} > "${made}"
    DEPENDS gridloom_app_cli VERBATIM)
  set_property(GLOBAL APPEND PROPERTY GRIDLOOM_GENERATED "${made}")
  install(FILES "${made}" DESTINATION "${folder}")
endfunction()
gridloom_generated(man gridloom.1 "${CMAKE_INSTALL_MANDIR}/man1")
gridloom_generated(bash gridloom "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
gridloom_generated(zsh _gridloom "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
get_property(generated GLOBAL PROPERTY GRIDLOOM_GENERATED)
add_custom_target(gridloom_generated ALL DEPENDS ${generated})

# --- the engine as libraries ------------------------------------------------------------------

foreach(room IN LISTS GRIDLOOM_ROOMS)
  gridloom_room_folder("${room}" folder)
  if(NOT folder MATCHES "^engine/" OR room STREQUAL "importer")
    continue()
  endif()
  install(TARGETS gridloom_${room} EXPORT gridloom-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/gridloom")
  set_target_properties(gridloom_${room} PROPERTIES EXPORT_NAME ${room})
  install(DIRECTORY ${folder} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gridloom"
    FILES_MATCHING PATTERN "*.h")
endforeach()
install(EXPORT gridloom-targets NAMESPACE gridloom::
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/gridloom")
configure_package_config_file("${install_dir}/gridloomConfig.cmake.in"
  "${CMAKE_BINARY_DIR}/generated/gridloomConfig.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/gridloom")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/generated/gridloomConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_BINARY_DIR}/generated/gridloomConfig.cmake"
  "${CMAKE_BINARY_DIR}/generated/gridloomConfigVersion.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/gridloom")

# --- a Debian package: cpack -G DEB -----------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gridloom)
set(CPACK_PACKAGE_VENDOR Gridloom)
set(CPACK_PACKAGE_CONTACT "Gridloom developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(GRIDLOOM_HAVE_MLIR)
  # MLIR lies in a folder of its own, where dpkg-shlibdeps does not look.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${LLVM_LIBRARY_DIRS}")
endif()
# Programs that use the libraries link these.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "libfmt-dev, libtbb-dev, libisl-dev, libeigen3-dev, nlohmann-json3-dev")
include(CPack)
