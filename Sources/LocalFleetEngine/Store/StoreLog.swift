import Glibc

/// The write-ahead log of a database. In SQLite's file format, it has a header and frames, and each frame contains a page.
///
/// SQLite reads frames up to the first damaged one, and does not report the frames after it.
struct StoreLog {
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    private let descriptor: Int32
    private let frameBytes: Int

    /// Counts the frames that SQLite cannot read although their transactions were complete.
    /// - Parameters:
    ///   - path: the path of the log.
    ///   - pageBytes: the page size of the database, bytes.
    /// - Returns: the number of this log's frames after the first `readCount`, if a transaction ends in these frames. Otherwise
    ///   0: the program was killed while it wrote them, so their changes were never acknowledged.
    static func unreadFrames(_ path: String, pageBytes: Int64, readCount: Int64) -> Int {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        guard (512...65_536).contains(pageBytes), let first = Int(exactly: readCount), first >= 0 else { return 0 }
        return StoreLog(descriptor: descriptor, frameBytes: frameHeaderBytes + Int(pageBytes)).unreadFrames(behind: first)
    }

    private func unreadFrames(behind first: Int) -> Int {
        guard let header = read(Self.headerBytes, at: 0) else { return 0 }
        // The frames of this log may be followed by frames of an older log, which have other salts.
        guard
            let salts = Self.isWhole(header)
                ? Self.bytes(header, 16) : read(Self.frameHeaderBytes, at: Self.headerBytes).map({ Self.bytes($0, 8) })
        else { return 0 }
        var count = 0
        var hasEnd = false
        var index = first
        while let frame = frame(index) {
            if Self.bytes(frame, 8) == salts {
                count = index - first + 1
                hasEnd = hasEnd || Self.number(frame, 4) != 0
            }
            index += 1
        }
        return hasEnd ? count : 0
    }

    private func frame(_ index: Int) -> [UInt8]? {
        let offset = index.multipliedReportingOverflow(by: frameBytes)
        return offset.overflow ? nil : read(Self.frameHeaderBytes, at: Self.headerBytes + offset.partialValue)
    }

    private func read(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    /// Returns whether the checksum of a log's header is correct.
    private static func isWhole(_ header: [UInt8]) -> Bool {
        let magic = number(header, 0)
        guard magic & ~1 == 0x377f_0682 else { return false }
        var sum: (first: UInt32, second: UInt32) = (0, 0)
        for offset in stride(from: 0, to: 24, by: 8) {
            let isBigEndian = magic & 1 == 1
            let words = [number(header, offset), number(header, offset + 4)].map { isBigEndian ? $0 : $0.byteSwapped }
            sum.first &+= words[0] &+ sum.second
            sum.second &+= words[1] &+ sum.first
        }
        return number(header, 24) == sum.first && number(header, 28) == sum.second
    }

    private static func bytes(_ bytes: [UInt8], _ offset: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(8)) }

    /// Returns the big-endian number of four bytes at an offset.
    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
