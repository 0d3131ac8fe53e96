#include "CDeflate.h"

#include <zlib.h>

size_t cdeflate_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t room) {
    z_stream stream = {0};
    if (count > UINT32_MAX || room > UINT32_MAX) return 0;
    // Adding 16 to the window size makes zlib write the gzip format.
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)room;
    int result = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? written : 0;
}
