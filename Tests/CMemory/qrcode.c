#include "CQRCode.h"
#include "memory.h"

#include <string.h>

int main(void) {
    enum { ROOM = CQRCODE_LARGEST_WIDTH * CQRCODE_LARGEST_WIDTH, LONGEST = 2953 };
    uint8_t *modules = malloc(ROOM);
    char *text = calloc(LONGEST + 2, 1);
    CHECK(cqrcode_encode("", modules, ROOM) == 0);
    for (size_t length = 1; length <= LONGEST; length += 328) {
        memset(text, 'a' + (int)(length % 26), length);
        size_t width = cqrcode_encode(text, modules, ROOM);
        CHECK(width >= 21 && width <= CQRCODE_LARGEST_WIDTH);
        for (size_t place = 0; place < width * width; place++) CHECK(modules[place] <= 1);
        // A buffer that is too small by one module is refused.
        uint8_t *small = malloc(width * width - 1);
        CHECK(cqrcode_encode(text, small, width * width - 1) == 0);
        free(small);
    }
    memset(text, 'x', LONGEST);
    CHECK(cqrcode_encode(text, modules, ROOM) == CQRCODE_LARGEST_WIDTH);
    text[LONGEST] = 'x';
    CHECK(cqrcode_encode(text, modules, ROOM) == 0);
    CHECK(cqrcode_encode("\xff\xfe\x80 caf\xc3\xa9", modules, ROOM) == 21);
    free(text);
    free(modules);
    return 0;
}
