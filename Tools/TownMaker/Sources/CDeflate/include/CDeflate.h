// A plain function over the system's zlib, whose own interface is macros and a struct of pointers that Swift cannot use safely.
#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stddef.h>
#include <stdint.h>

// Compresses to gzip (RFC 1952) without a name or a time, as closely as zlib can. Returns the number of bytes written; 0 when there is no
// room or no memory.
size_t cdeflate_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t room);

#endif
