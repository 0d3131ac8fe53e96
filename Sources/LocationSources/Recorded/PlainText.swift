import CZlib

/// Reads a text file as UTF-8. Gzip is unpacked, and UTF-16 is converted. The bytes of all other files are returned unchanged.
public final class PlainText {
    /// Maximum size of text unpacked from gzip, in bytes. A day's drive with a point per second and with extensions takes 20 MB.
    private static let mostBytes = 64 << 20
    private static let pieceBytes = 256 << 10
    private static let gzipMark: [UInt8] = [0x1F, 0x8B]

    private enum Order {
        case littleEndian, bigEndian
    }

    private let refill: () throws(LocationFileError) -> [UInt8]?
    private var isOpen = false
    /// Bytes that were read ahead: the start of the file, or the whole unpacked text.
    private var ahead: [UInt8] = []
    /// Number of bytes of `ahead` that have been returned.
    private var offset = 0
    /// Byte order of UTF-16; nil for other text.
    private var order: Order?
    /// First bytes of a character that ends in the next piece.
    private var rest: [UInt8] = []

    /// - Parameter refill: returns the file's next piece; nil at the end.
    public init(_ refill: @escaping () throws(LocationFileError) -> [UInt8]?) { self.refill = refill }

    /// Reads the next piece; nil at the end.
    /// - Throws: `LocationFileError`, also for damaged gzip.
    public func next() throws(LocationFileError) -> [UInt8]? {
        if !isOpen { try open() }
        while let piece = try raw() {
            guard let order else { return piece }
            let text = transcoded(rest + piece, order)
            if !text.isEmpty { return text }
        }
        return nil
    }

    private func raw() throws(LocationFileError) -> [UInt8]? {
        guard offset < ahead.count else {
            (ahead, offset) = ([], 0)
            return try refill()
        }
        let end = min(ahead.count, offset + Self.pieceBytes)
        defer { offset = end }
        return Array(ahead[offset..<end])
    }

    private func open() throws(LocationFileError) {
        isOpen = true
        var start = try refill() ?? []
        while start.count < 2, let piece = try refill() { start += piece }
        if start.starts(with: Self.gzipMark) {
            while let piece = try refill() {
                start += piece
                guard start.count <= Self.mostBytes else { throw Self.tooLarge }
            }
            start = try Self.unpacked(start)
        }
        switch (start.first, start.dropFirst().first) {
        case (0xFF, 0xFE): (order, offset) = (.littleEndian, 2)
        case (0xFE, 0xFF): (order, offset) = (.bigEndian, 2)
        case (UInt8(ascii: "<"), 0): order = .littleEndian
        case (0, UInt8(ascii: "<")): order = .bigEndian
        default: break
        }
        ahead = start
    }

    private func transcoded(_ bytes: [UInt8], _ order: Order) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(order == .littleEndian ? second << 8 | first : first << 8 | second)
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        rest = Array(bytes.dropFirst(2 * units.count))
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

// MARK: - gzip

extension PlainText {
    private static let tooLarge = LocationFileError.unreadable("it is larger than \(mostBytes >> 20) MiB when unpacked")

    /// Returns the unpacked bytes. If the file is cut off, returns the bytes before the cut.
    private static func unpacked(_ bytes: [UInt8]) throws(LocationFileError) -> [UInt8] {
        var room = min(mostBytes, max(4_096, bytes.count * 8))
        while true {
            var result = CZLIB_BROKEN
            let output = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                var written = 0
                result = bytes.withUnsafeBufferPointer {
                    czlib_inflate($0.baseAddress, $0.count, buffer.baseAddress, room, &written)
                }
                count = min(written, room)
            }
            switch result {
            case CZLIB_DONE: return output
            case CZLIB_TRUNCATED where !output.isEmpty: return output
            case CZLIB_FULL where room < mostBytes: room = min(mostBytes, room * 4)
            case CZLIB_FULL: throw tooLarge
            default: throw .unreadable("its gzip data is damaged")
            }
        }
    }
}
