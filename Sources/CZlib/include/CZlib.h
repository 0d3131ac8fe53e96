// Plain functions over the system's zlib, whose own interface consists of macros and a struct of pointers that Swift cannot use safely.
#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

// The outcome of a decompression or a compression.
typedef enum {
    // All bytes were decompressed or compressed.
    CZLIB_DONE = 0,
    // The result is larger than the available room.
    CZLIB_FULL = 1,
    // The input ends before the end of the compressed data.
    CZLIB_TRUNCATED = 2,
    // The input is neither gzip nor zlib, is damaged, or has at least 4 GiB.
    CZLIB_BROKEN = 3,
    // There is not enough memory for zlib's state.
    CZLIB_NO_MEMORY = 4
} CZlibResult;

// Decompresses gzip (RFC 1952, also several members in sequence) or zlib (RFC 1950), detected from the first bytes. Writes at most `room`
// bytes to `output` and their number to `written`, whatever the result. Trailing bytes that do not begin another gzip member are ignored,
// as in gzip(1).
CZlibResult czlib_inflate(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written);

// Compresses to a gzip file of one member, with the fastest compression level. Writes at most `room` bytes to `output` and their number
// to `written`, whatever the result.
CZlibResult czlib_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written);

#endif
