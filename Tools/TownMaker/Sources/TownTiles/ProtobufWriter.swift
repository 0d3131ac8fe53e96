/// Writes protocol buffers field by field.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func number(_ value: UInt64, field: UInt64) {
        varint(field << 3)
        varint(value)
    }

    mutating func bytes(_ value: some Collection<UInt8>, field: UInt64) {
        varint(field << 3 | 2)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func packed(_ values: [UInt32], field: UInt64) {
        var inner = ProtobufWriter()
        for value in values { inner.varint(UInt64(value)) }
        bytes(inner.bytes, field: field)
    }
}
