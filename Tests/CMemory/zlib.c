#include "CZlib.h"
#include "memory.h"

#include <string.h>

enum { SIZE = 100000 };

// Compresses and decompresses a text. Also tries truncated and damaged input, and buffers that are too small.
static void packs_and_unpacks(const uint8_t *text, size_t count) {
    uint8_t *packed = malloc(count + 1000), *back = malloc(count + 1);
    size_t size = 0, length = 0;
    CHECK(czlib_gzip(text, count, packed, count + 1000, &size) == CZLIB_DONE);
    CHECK(czlib_inflate(packed, size, back, count + 1, &length) == CZLIB_DONE && length == count && memcmp(back, text, count) == 0);
    for (size_t cut = 0; cut < size; cut += 1 + size / 50) {
        uint8_t *part = malloc(cut + 1);
        memcpy(part, packed, cut);
        CHECK(czlib_inflate(part, cut, back, count + 1, &length) != CZLIB_DONE);
        free(part);
    }
    for (size_t room = 0; room < count; room += 1 + count / 50) {
        uint8_t *small = malloc(room + 1);
        CHECK(czlib_inflate(packed, size, small, room, &length) == CZLIB_FULL && length <= room);
        CHECK(czlib_gzip(text, count, small, room < 20 ? room : 20, &length) == CZLIB_FULL && length <= 20);
        free(small);
    }
    for (size_t place = 0; place < size; place += 1 + size / 50) {
        packed[place] ^= 0x5a;
        czlib_inflate(packed, size, back, count + 1, &length);
        CHECK(length <= count + 1);
        packed[place] ^= 0x5a;
    }
    free(packed);
    free(back);
}

// Reads two gzip members that are followed by another byte.
static void reads_members(void) {
    uint8_t packed[200], back[10];
    size_t first = 0, second = 0, length = 0;
    CHECK(czlib_gzip((const uint8_t *)"one", 3, packed, 100, &first) == CZLIB_DONE);
    CHECK(czlib_gzip((const uint8_t *)"two", 3, packed + first, 100, &second) == CZLIB_DONE);
    packed[first + second] = 0x1f;
    CHECK(czlib_inflate(packed, first + second + 1, back, sizeof back, &length) == CZLIB_DONE && length == 6);
    CHECK(memcmp(back, "onetwo", 6) == 0);
}

int main(void) {
    uint8_t *text = malloc(SIZE);
    for (size_t place = 0; place < SIZE; place++) text[place] = (uint8_t)(place * place >> 5);
    packs_and_unpacks(text, SIZE);
    packs_and_unpacks(text, 1);
    packs_and_unpacks(text, 0);
    free(text);
    reads_members();
    size_t length = 1;
    CHECK(czlib_inflate((const uint8_t *)"neither", 7, NULL, 0, &length) == CZLIB_BROKEN && length == 0);
    CHECK(czlib_gzip((const uint8_t *)"text", 4, NULL, 0, &length) == CZLIB_FULL && length == 0);
    CHECK(czlib_gzip((const uint8_t *)"text", (size_t)1 << 33, (uint8_t *)&length, 1, &length) == CZLIB_BROKEN);
    return 0;
}
