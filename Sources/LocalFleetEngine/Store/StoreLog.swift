import Glibc

/// The write-ahead log of a database. In SQLite's file format, it has a header and frames, and each frame contains a page.
///
/// SQLite reads frames up to the first damaged one, and does not report the frames after it. The header of a transaction's last
/// frame marks the end of the transaction.
struct StoreLog {
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    private let descriptor: Int32
    private let frameBytes: Int

    /// Counts the transactions that are complete in the log, but that SQLite cannot read.
    ///
    /// All of them were acknowledged, except perhaps the last: a transaction begins only after the previous one is on disk, but the program
    /// may have been killed before it acknowledged the last one.
    /// - Parameters:
    ///   - path: the path of the log.
    ///   - pageBytes: the page size of the database, in bytes.
    ///   - readCount: the number of frames that SQLite has read.
    static func unreadTransactions(_ path: String, pageBytes: Int64, readCount: Int64) -> Int {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        guard (512...65_536).contains(pageBytes), let first = Int(exactly: readCount), first >= 0 else { return 0 }
        return StoreLog(descriptor: descriptor, frameBytes: frameHeaderBytes + Int(pageBytes)).unreadTransactions(after: first)
    }

    private func unreadTransactions(after first: Int) -> Int {
        guard let header = read(Self.headerBytes, at: 0) else { return 0 }
        // The frames of this log may be followed by frames of an older log, which have different salts. If the log's header is damaged, the
        // salts come from the first frame.
        guard
            let salts = Self.isWhole(header)
                ? Self.bytes(header, 16) : read(Self.frameHeaderBytes, at: Self.headerBytes).map({ Self.bytes($0, 8) })
        else { return 0 }
        var count = 0
        var index = first
        while let header = frameHeader(index) {
            let endsTransaction = Self.number(header, 4) != 0
            if endsTransaction, Self.bytes(header, 8) == salts { count += 1 }
            index += 1
        }
        return count
    }

    /// Returns the header of a frame, or `nil` if the file ends before the frame does.
    private func frameHeader(_ index: Int) -> [UInt8]? {
        let offset = index.multipliedReportingOverflow(by: frameBytes)
        guard !offset.overflow else { return nil }
        let start = Self.headerBytes + offset.partialValue
        return read(1, at: start + frameBytes - 1) == nil ? nil : read(Self.frameHeaderBytes, at: start)
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
