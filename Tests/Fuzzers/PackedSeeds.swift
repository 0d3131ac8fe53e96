import CZlib

/// Compresses valid input.
enum PackedSeeds {
    static func gzip(_ plain: [UInt8]) -> [UInt8] {
        let room = plain.count + 100
        var packed = [UInt8](repeating: 0, count: room)
        var count = 0
        guard czlib_gzip(plain, plain.count, &packed, room, &count) == CZLIB_DONE else { fatalError("a seed cannot be compressed") }
        return Array(packed.prefix(count))
    }
}
