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
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  set_property(GLOBAL APPEND PROPERTY FLASHFUSION_LIBS ${name})
endfunction()

# ff_add_passes(<stage>): tablegen declarations of include/FlashFusion/<stage>/Passes.td.
function(ff_add_passes stage)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name FlashFusion${stage})
  add_public_tablegen_target(FlashFusion${stage}PassesIncGen)
  add_dependencies(FlashFusionHeaders FlashFusion${stage}PassesIncGen)
endfunction()
