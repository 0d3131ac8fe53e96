#include "CBuild.h"

#ifndef TRIPWATCH_BUILD
#define TRIPWATCH_BUILD "development"
#endif

const char *cbuild_word(void) { return TRIPWATCH_BUILD; }
