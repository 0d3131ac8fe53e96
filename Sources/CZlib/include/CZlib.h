// Plain functions over the system's zlib, whose own interface is macros and a struct of pointers that Swift cannot use safely.
#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

// The outcome of a decompression or a compression.
typedef enum {
    // All bytes were decompressed or compressed.
    CZLIB_DONE = 0,
    // More would come out than there is room for.
    CZLIB_FULL = 1,
    // The bytes end before the compressed data do.
    CZLIB_TRUNCATED = 2,
    // The bytes are neither gzip nor zlib, a check sum is wrong, or there are 4 GiB of them and more.
    CZLIB_BROKEN = 3,
    // zlib got no memory for its state.
    CZLIB_NO_MEMORY = 4
} CZlibResult;

// Decompresses gzip (RFC 1952, also several members one after the other) or zlib (RFC 1950); the first bytes tell which. Writes at most
// `room` bytes to `output` and their number to `written`, with every result. Bytes after the end that begin no further gzip member are
// ignored, as gzip(1) does.
CZlibResult czlib_inflate(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written);

// Compresses to a gzip file of one member, quickly rather than tightly. Writes at most `room` bytes to `output` and their number to
// `written`, with every result.
CZlibResult czlib_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written);

#endif
