#ifndef CBUILD_H
#define CBUILD_H

/// Which sources the program was built from: the text of TRIPWATCH_BUILD at the time of building, "development" without it.
const char *cbuild_word(void);

#endif
