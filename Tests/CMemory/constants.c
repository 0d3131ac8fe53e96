#include "CBuild.h"
#include "CTown.h"
#include "memory.h"

#include <string.h>

// CTown and CBuild hold constants. All bytes must be readable.
int main(void) {
    CHECK(strlen(cbuild_word()) > 0);
    size_t count = ctown_byte_count();
    const uint8_t *bytes = ctown_bytes();
    unsigned sum = 0;
    for (size_t place = 0; place < count; place++) sum += bytes[place];
    CHECK(count > 127 && memcmp(bytes, "PMTiles", 7) == 0 && sum > 0);
    return 0;
}
