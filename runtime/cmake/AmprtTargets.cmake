# What all targets of the runtime have in common.

if(AMPRT_SANITIZE)
  # A directory property, so that src/io and src/cli are in it as well: the
  # thread sanitizer must see all code.
  string(REPLACE ";" "," AMPRT_SANITIZE_LIST "${AMPRT_SANITIZE}")
  add_compile_options(-fsanitize=${AMPRT_SANITIZE_LIST}
                      -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  # What stops the program by itself need not be checked before: it doubles the
  # time that compiling takes.
  if(AMPRT_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=null,object-size,vptr)
  endif()
  add_link_options(-fsanitize=${AMPRT_SANITIZE_LIST})
endif()

# fmt's headers only: a compiled program then links nothing more, and those who use
# an archive of ours need not find fmt again. Its code takes a third of a file's
# compile time: a build for tests alone, as under sanitizers, uses the library.
find_package(fmt REQUIRED)
option(AMPRT_LINK_FMT "Compiled programs link fmt's library" OFF)
if(AMPRT_SANITIZE)
  set(AMPRT_LINK_FMT ON CACHE BOOL "" FORCE)
endif()
function(amprt_use_fmt target)
  if(AMPRT_LINK_FMT)
    target_link_libraries(${target} PRIVATE fmt::fmt)
  else()
    target_include_directories(${target} SYSTEM PRIVATE
      $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target} PRIVATE FMT_HEADER_ONLY=1)
  endif()
endfunction()

# amprt_add_tests(target prefix): what GoogleTest finds in it. Each in a process of its
# own; but under sanitizers, where to begin one takes longer than most tests do,
# those of a shard together.
function(amprt_add_tests target prefix)
  if(NOT AMPRT_SANITIZE)
    gtest_discover_tests(${target}
      TEST_PREFIX ${prefix}. PROPERTIES LABELS runtime)
    return()
  endif()
  set(shards 4)
  foreach(shard RANGE 1 ${shards})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${prefix}.${shard}of${shards} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${prefix}.${shard}of${shards} PROPERTIES LABELS runtime
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# Flags of the runtime's own code.
function(amprt_configure target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
endfunction()

# The same for what is not on the way of a batch (files, command lines). It takes longest to
# compile; a build for tests alone need not optimise it much.
set(AMPRT_TOOL_OPTIONS "" CACHE STRING
    "More flags for the runtime's files and command lines, behind the build type's")
separate_arguments(AMPRT_TOOL_OPTIONS_LIST NATIVE_COMMAND "${AMPRT_TOOL_OPTIONS}")
function(amprt_configure_tool target)
  amprt_configure(${target})
  target_compile_options(${target} PRIVATE ${AMPRT_TOOL_OPTIONS_LIST})
endfunction()
