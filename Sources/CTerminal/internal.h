#ifndef CTERMINAL_INTERNAL_H
#define CTERMINAL_INTERNAL_H

#include <stdbool.h>

// Every change of the terminal stands between these two. The first returns false once the terminal has been restored for good; a restore
// that begins meanwhile waits for the second.
bool cterminal_begin_use(void);
void cterminal_end_use(void);

#endif
