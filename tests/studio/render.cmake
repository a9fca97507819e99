# SPDX-License-Identifier: Apache-2.0
#
# Charts without any display: cmake -DRENDER=<gridloom-render> -DFOLDER=<scratch> -P render.cmake

unset(ENV{DISPLAY})
unset(ENV{WAYLAND_DISPLAY})
unset(ENV{QT_QPA_PLATFORM})
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")

function(draw file)
  execute_process(
    COMMAND "${RENDER}" --hardware wormhole_8x8 --kernel gemm --set M=1024 --set N=1024 --set K=1024
      --top 4 ${ARGN} --out "${FOLDER}/${file}"
    RESULT_VARIABLE code ERROR_VARIABLE errors)
  if(NOT code EQUAL 0 OR NOT EXISTS "${FOLDER}/${file}")
    message(FATAL_ERROR "${file}: exit ${code}\n${errors}")
  endif()
endfunction()

foreach(chart mesh scatter breakdown)
  foreach(ending svg png pdf)
    draw(${chart}.${ending} --chart ${chart})
  endforeach()
endforeach()
foreach(ending svg png pdf)
  draw(again.${ending} --chart mesh)
  file(SHA256 "${FOLDER}/mesh.${ending}" first)
  file(SHA256 "${FOLDER}/again.${ending}" second)
  if(NOT first STREQUAL second)
    message(FATAL_ERROR "two runs gave different mesh.${ending}")
  endif()
endforeach()

# refuse(<part of the message> <arguments...>)
function(refuse part)
  execute_process(COMMAND "${RENDER}" ${ARGN} RESULT_VARIABLE code ERROR_VARIABLE errors OUTPUT_QUIET)
  if(NOT code EQUAL 2 OR NOT errors MATCHES "${part}")
    message(FATAL_ERROR "${ARGN}: expected exit 2 and '${part}', got ${code}\n${errors}")
  endif()
endfunction()
set(good --hardware wormhole_8x8 --kernel gemm)
refuse("--out is missing" ${good})
refuse("--chart wants" ${good} --chart pie --out ${FOLDER}/x.svg)
refuse("ending in .svg" ${good} --out ${FOLDER}/x.bmp)
refuse("NAME=NUMBER" ${good} --set M --out ${FOLDER}/x.svg)
refuse("wormhole_9x9" --hardware wormhole_9x9 --kernel gemm --out ${FOLDER}/x.svg)
refuse("cannot write" ${good} --out ${FOLDER}/no/such/x.svg)
refuse("no mapping of rank|whole number" ${good} --rank 0 --out ${FOLDER}/x.svg)
if(EXISTS "${FOLDER}/x.svg")
  message(FATAL_ERROR "a refused request left a file")
endif()
