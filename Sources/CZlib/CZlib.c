#include "CZlib.h"

// Makes zlib declare its input as const.
#define ZLIB_CONST
#include <limits.h>
#include <string.h>
#include <zlib.h>

// 15 bits of window, plus 32 to detect gzip or zlib, or 16 to write gzip. 8 is zlib's default memory level.
enum { WINDOW_BITS = 15 + 32, GZIP_WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

static int begins_gzip(const z_stream *stream) {
    return stream->avail_in >= 2 && stream->next_in[0] == 0x1f && stream->next_in[1] == 0x8b;
}

static CZlibResult run(z_stream *stream) {
    for (;;) {
        uInt room = stream->avail_out;
        int code = inflate(stream, Z_FINISH);
        if (code == Z_STREAM_END) {
            if (!begins_gzip(stream)) { return CZLIB_DONE; }
            if (inflateReset(stream) != Z_OK) { return CZLIB_BROKEN; }
            continue;
        }
        if (code == Z_MEM_ERROR) { return CZLIB_NO_MEMORY; }
        if (code != Z_OK && code != Z_BUF_ERROR) { return CZLIB_BROKEN; }
        if (stream->avail_out == 0) { return CZLIB_FULL; }
        if (stream->avail_in == 0 || stream->avail_out == room) { return CZLIB_TRUNCATED; }
    }
}

CZlibResult czlib_inflate(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written) {
    *written = 0;
    if (count > UINT_MAX) { return CZLIB_BROKEN; }
    if (room > UINT_MAX) { room = UINT_MAX; }
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, WINDOW_BITS) != Z_OK) { return CZLIB_NO_MEMORY; }
    stream.next_in = input;
    stream.avail_in = (uInt)count;
    // zlib refuses a null pointer, even if there is no room for output.
    uint8_t nowhere = 0;
    stream.next_out = output != NULL ? output : &nowhere;
    stream.avail_out = output != NULL ? (uInt)room : 0;
    CZlibResult result = run(&stream);
    *written = (output != NULL ? room : 0) - stream.avail_out;
    inflateEnd(&stream);
    return result;
}

CZlibResult czlib_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written) {
    *written = 0;
    if (count > UINT_MAX) { return CZLIB_BROKEN; }
    if (output == NULL || room == 0) { return CZLIB_FULL; }
    if (room > UINT_MAX) { room = UINT_MAX; }
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    int code = deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    if (code != Z_OK) { return CZLIB_NO_MEMORY; }
    stream.next_in = input;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)room;
    code = deflate(&stream, Z_FINISH);
    *written = room - stream.avail_out;
    deflateEnd(&stream);
    if (code == Z_STREAM_END) { return CZLIB_DONE; }
    return code == Z_OK || code == Z_BUF_ERROR ? CZLIB_FULL : CZLIB_BROKEN;
}
