# Target amprt::onednn. Not by oneDNN's own package: Debian's demands the headers
# of OpenCL, which nothing here includes.
find_path(AMPRT_ONEDNN_INCLUDE_DIR dnnl.h REQUIRED)
find_library(AMPRT_ONEDNN_LIBRARY dnnl REQUIRED)

set(version_header ${AMPRT_ONEDNN_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h)
if(EXISTS ${version_header})
  file(STRINGS ${version_header} version_lines
       REGEX "#define DNNL_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^0-9;]" "" version "${version_lines}")
  list(JOIN version "." version)
  message(STATUS "amprt: oneDNN ${version}, ${AMPRT_ONEDNN_LIBRARY}")
endif()

add_library(amprt-onednn INTERFACE)
target_include_directories(amprt-onednn SYSTEM INTERFACE
                           ${AMPRT_ONEDNN_INCLUDE_DIR})
target_link_libraries(amprt-onednn INTERFACE ${AMPRT_ONEDNN_LIBRARY})
add_library(amprt::onednn ALIAS amprt-onednn)
