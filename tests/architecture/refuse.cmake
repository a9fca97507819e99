# SPDX-License-Identifier: Apache-2.0
#
# cmake -DCASE=<case> -P refuse.cmake: asks engine/rooms.cmake for something it must refuse, in a
# child process, and fails unless it refuses with the expected words. The child is this script with
# ATTEMPT set; up to the refusal, gridloom_room() needs no project.

cmake_minimum_required(VERSION 3.22)

if(ATTEMPT)
  include("${CMAKE_CURRENT_LIST_DIR}/../../engine/rooms.cmake")
  if(CASE STREQUAL "forbidden_room")
    gridloom_room(cost SOURCES cost.cpp USES mapping simulate)
  elseif(CASE STREQUAL "undeclared_room")
    gridloom_room(cost SOURCES cost.cpp USES mapping)
  elseif(CASE STREQUAL "unknown_room")
    gridloom_room(helpers SOURCES helpers.cpp)
  elseif(CASE STREQUAL "forbidden_library")
    gridloom_room(cost SOURCES cost.cpp LIBS fmt::fmt Qt6::Core)
  elseif(CASE STREQUAL "cyclic_table")
    file(WRITE "${TABLE}" "base : cost :\ncost : base :\n")
    gridloom_read_rooms("${TABLE}")
  endif()
  return()
endif()

set(expected_forbidden_room "room 'cost' may not use room 'simulate'")
set(expected_undeclared_room "room 'cost' uses room 'mapping', which is not declared")
set(expected_unknown_room "room 'helpers' is not in engine/rooms.txt")
set(expected_forbidden_library "room 'cost' may not use library 'Qt6::Core'")
set(expected_cyclic_table "room 'base' sees 'cost', which is not listed above it")

execute_process(
  COMMAND "${CMAKE_COMMAND}" -DATTEMPT=ON "-DCASE=${CASE}" "-DTABLE=${TABLE}"
    -P "${CMAKE_CURRENT_LIST_FILE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " words "${output}")  # CMake wraps its messages
string(FIND "${words}" "${expected_${CASE}}" at)
if(status EQUAL 0 OR at EQUAL -1)
  message(FATAL_ERROR "not refused as expected (status ${status}):\n${output}")
endif()
