#ifndef CBUILD_H
#define CBUILD_H

/// The version of the sources that the program was built from: TRIPWATCH_BUILD at build time, "development" without it.
const char *cbuild_word(void);

#endif
