# What all targets of the runtime have in common.

if(AMPRT_SANITIZE)
  # A directory property, so that src/io and src/cli are in it as well: the
  # thread sanitizer must see all code.
  string(REPLACE ";" "," AMPRT_SANITIZE_LIST "${AMPRT_SANITIZE}")
  add_compile_options(-fsanitize=${AMPRT_SANITIZE_LIST}
                      -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${AMPRT_SANITIZE_LIST})
endif()

# Flags of the runtime's own code.
function(amprt_configure target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
endfunction()
