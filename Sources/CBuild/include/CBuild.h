#ifndef CBUILD_H
#define CBUILD_H

/// The version of the sources from which the program was built: the macro TRIPWATCH_BUILD, or "development" if it is not defined.
const char *cbuild_word(void);

#endif
