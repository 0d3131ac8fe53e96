#ifndef CTERMINAL_INTERNAL_H
#define CTERMINAL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A thread writes to the terminal, or makes it raw, between these two calls. The first call returns false once the guard has begun to
// restore the terminal. The thread must then leave the terminal alone, but must still make the second call. A restoration that begins
// between the two calls waits for the second call, but at most 0.2 s.
bool cterminal_begin_use(void);
void cterminal_end_use(void);

// The two functions below may run inside a signal handler.

// Writes all bytes. Returns false on an error, or if the terminal makes the call wait for more than half a second in all.
bool cterminal_write_patiently(int descriptor, const uint8_t *bytes, size_t count);
// Restores standard error and prints the end of the held text.
void cterminal_show_held(void);

#endif
