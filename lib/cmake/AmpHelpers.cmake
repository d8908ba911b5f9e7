# What every CMakeLists.txt of the compiler uses. One target a directory.

set(AMP_TABLEGEN_FLAGS -I${PROJECT_SOURCE_DIR}/dialects)

# amp_precompile(target [options...]): one precompiled header for all compiler libraries
# with the same options: it halves their compile time.
function(amp_precompile target)
  string(CONCAT header AmpPrecompiled ${ARGN})
  if(NOT TARGET ${header})
    file(WRITE ${PROJECT_BINARY_DIR}/AmpPrecompiled.cpp "")
    add_library(${header} OBJECT ${PROJECT_BINARY_DIR}/AmpPrecompiled.cpp)
    target_compile_options(${header} PRIVATE -fPIC ${ARGN})
    set_target_properties(${header} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_precompile_headers(${header} PRIVATE
      <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h>
      <mlir/IR/Matchers.h> <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h>
      <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
      <mlir/Dialect/SCF/IR/SCF.h> <mlir/Dialect/Tensor/IR/Tensor.h>
      <mlir/Dialect/LLVMIR/LLVMDialect.h>)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fPIC ${ARGN})
  target_precompile_headers(${target} REUSE_FROM ${header})
endfunction()

# amp_add_library(NAME sources... LINK libs... MLIR mlir libs... OPTIONS flags...)
# A compiler library. MLIR names its upstream libraries, which the dylib replaces.
function(amp_add_library name)
  cmake_parse_arguments(arg "" "" "LINK;MLIR;OPTIONS" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  add_dependencies(${name} amp-headers)
  target_link_libraries(${name} PUBLIC ${arg_LINK})
  if(MLIR_LINK_MLIR_DYLIB)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
  else()
    target_link_libraries(${name} PUBLIC ${arg_MLIR})
  endif()
  if(AMP_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  amp_precompile(${name} ${arg_OPTIONS})
endfunction()

# amp_add_tool(NAME sources... LINK libs... MLIR mlir libs...): a program in build/bin.
function(amp_add_tool name)
  cmake_parse_arguments(arg "" "" "LINK;MLIR" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  add_dependencies(${name} amp-headers)
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if(MLIR_LINK_MLIR_DYLIB)
    target_link_libraries(${name} PRIVATE MLIR LLVM)
  else()
    target_link_libraries(${name} PRIVATE ${arg_MLIR})
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# amp_tablegen(TARGET): makes a target of what mlir_tablegen was told so far, and
# all libraries wait for it.
function(amp_tablegen target)
  add_public_tablegen_target(${target})
  if(NOT TARGET amp-headers)
    add_custom_target(amp-headers)
  endif()
  add_dependencies(amp-headers ${target})
endfunction()
