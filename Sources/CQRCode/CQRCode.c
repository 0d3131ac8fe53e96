#include "CQRCode.h"

#include <qrencode.h>

size_t cqrcode_encode(const char *text, uint8_t *modules, size_t room) {
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (code == NULL) { return 0; }
    size_t width = code->width > 0 ? (size_t)code->width : 0;
    if (width * width > room) { width = 0; }
    // Bit 0 says whether the module is dark. The other bits say to which part of the code it belongs.
    for (size_t i = 0; i < width * width; i++) { modules[i] = code->data[i] & 1; }
    QRcode_free(code);
    return width;
}
