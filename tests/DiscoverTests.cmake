# Tells ctest the tests of one executable; ctest includes this when it starts, with
#   executable   the path
#   room         its directory in tests/, the first part of every name
#   entries      tests: one entry each; suites: one for all tests of a suite
#   environment  of the tests: where the tool and the libraries under test are
# An executable that is absent or cannot list its tests becomes a test that fails.
# Listing costs some milliseconds, so nothing is kept that could be out of date.
if(NOT EXISTS ${executable})
  add_test(${room}.NOT_BUILT ${executable})
  return()
endif()
execute_process(COMMAND ${executable} --gtest_list_tests
                OUTPUT_VARIABLE listing RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  add_test(${room}.CANNOT_LIST_TESTS ${executable} --gtest_list_tests)
  return()
endif()

# The long ones first: one of them alone at the end would keep one processor busy
# and the others waiting.
set(long "^(EveryMachine/Mutation|ScriptMutants|ResourceUsage|ExpressionCycle|Mutation|\
ScriptMutations|ParallelUsage|ManySections|Determinism|EhFrame|All/HugeSums|OutputName)\\.")

# "SUITE." and indented "TEST  # GetParam() = ...", which may contain anything.
string(REGEX REPLACE " +#[^\n]*" "" listing "${listing}")
string(REPLACE "\n" ";" listing "${listing}")
set(suite "")
foreach(line IN LISTS listing)
  if(line MATCHES "^([^ ]+\\.)$")
    set(suite ${CMAKE_MATCH_1})
    set(filter "${suite}*")
    string(REGEX REPLACE "\\.$" "" name "${room}.${suite}")
  elseif(suite AND line MATCHES "^  ([^ ]+)$")
    set(filter "${suite}${CMAKE_MATCH_1}")
    set(name "${room}.${filter}")
  else()
    continue() # what gtest says before the list
  endif()
  set(is_suite FALSE)
  if(filter MATCHES "\\*$")
    set(is_suite TRUE)
  endif()
  if((entries STREQUAL "suites" AND NOT is_suite) OR (entries STREQUAL "tests" AND is_suite))
    continue()
  endif()
  add_test(${name} ${executable} --gtest_filter=${filter})
  set_tests_properties(${name} PROPERTIES LABELS ${room} TIMEOUT 600
                       ENVIRONMENT "${environment}")
  if(suite MATCHES "${long}")
    set_tests_properties(${name} PROPERTIES COST 1)
  endif()
  if(entries STREQUAL "tests")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
endforeach()
