# ff_add_library(<name> <sources>... [DEPENDS ...] [LINK_LIBS ...])
# A library of this project. MLIR itself always comes from the shared libMLIR:
# never list an MLIR archive here, two copies of MLIR in one process do not work.
function(ff_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  llvm_update_compile_flags(${name})
  target_precompile_headers(${name} REUSE_FROM FlashFusionPCH)
  add_dependencies(${name} FlashFusionHeaders ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC FlashFusionInterface ${ARG_LINK_LIBS} MLIR LLVM)
  set_property(GLOBAL APPEND PROPERTY FLASHFUSION_LIBS ${name})
  ff_export_library(${name})
endfunction()

# ff_export_library(<name>): FlashFusion<Step> is FlashFusion::<Step> for users, whether they
# build this project or have it installed.
function(ff_export_library name)
  string(REGEX REPLACE "^FlashFusion" "" step ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${step})
  add_library(FlashFusion::${step} ALIAS ${name})
  if(FF_INSTALL)
    include(GNUInstallDirs)
    install(TARGETS ${name} EXPORT FlashFusionTargets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  set_property(GLOBAL APPEND PROPERTY FLASHFUSION_EXPORTS ${name})
endfunction()

# ff_add_tool(<name> <sources>... LINK_LIBS ...): an executable that is installed. Debian keeps
# libMLIR where the loader does not look, so the path of the build stays in it.
function(ff_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  if(FF_INSTALL)
    include(GNUInstallDirs)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# ff_add_passes(<stage>): tablegen declarations of include/FlashFusion/<stage>/Passes.td.
function(ff_add_passes stage)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name FlashFusion${stage})
  add_public_tablegen_target(FlashFusion${stage}PassesIncGen)
  add_dependencies(FlashFusionHeaders FlashFusion${stage}PassesIncGen)
endfunction()

# The CMake package, for the build tree and for the install tree.
function(ff_export_package)
  include(CMakePackageConfigHelpers)
  include(GNUInstallDirs)
  get_property(libraries GLOBAL PROPERTY FLASHFUSION_EXPORTS)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/FlashFusion)
  set(build_package ${FlashFusion_BINARY_DIR}/lib/cmake/FlashFusion)
  set(template ${FlashFusion_SOURCE_DIR}/cmake/modules/FlashFusionConfig.cmake.in)
  export(TARGETS ${libraries} NAMESPACE FlashFusion:: FILE ${build_package}/FlashFusionTargets.cmake)
  configure_package_config_file(${template} ${build_package}/FlashFusionConfig.cmake
    INSTALL_DESTINATION ${build_package} INSTALL_PREFIX ${FlashFusion_BINARY_DIR})
  write_basic_package_version_file(${build_package}/FlashFusionConfigVersion.cmake
    VERSION ${FlashFusion_VERSION} COMPATIBILITY SameMinorVersion)
  if(NOT FF_INSTALL)
    return()
  endif()
  configure_package_config_file(${template} ${FlashFusion_BINARY_DIR}/cmake/FlashFusionConfig.cmake
    INSTALL_DESTINATION ${package})
  install(FILES ${FlashFusion_BINARY_DIR}/cmake/FlashFusionConfig.cmake
    ${build_package}/FlashFusionConfigVersion.cmake DESTINATION ${package})
  install(EXPORT FlashFusionTargets NAMESPACE FlashFusion:: DESTINATION ${package})
  foreach(tree ${FlashFusion_SOURCE_DIR} ${FlashFusion_BINARY_DIR})
    install(DIRECTORY ${tree}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
      FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc" PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
  install(FILES ${FlashFusion_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()
