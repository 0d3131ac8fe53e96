import Files
import Glibc

/// Reads a regular file, or a file's bytes in memory, in pieces.
///
/// A file is read with pread(2) instead of being mapped into memory. If the file shrinks or vanishes while it is open, the program
/// merely lacks a tile; it does not crash.
final class TileFile: Sendable {
    enum Problem: Error, Hashable {
        /// The file ends before these bytes, although it was longer when opened.
        case ended
        /// The system reported an error.
        case system(SystemError)
    }

    /// Size of the file in bytes when it was opened.
    let byteCount: UInt64
    private let place: Place

    private enum Place {
        case descriptor(CInt)
        case memory([UInt8])
    }

    /// Creates a file from bytes in memory.
    init(bytes: [UInt8]) {
        place = .memory(bytes)
        byteCount = UInt64(bytes.count)
    }

    /// Opens a file for reading.
    init(path: String) throws(BaseMapFileError) {
        let descriptor: CInt
        do throws(Files.OpenError) { descriptor = try Files.openRegular(path) } catch { throw BaseMapFileError(path, .init(error)) }
        place = .descriptor(descriptor)
        byteCount = UInt64(clamping: Files.size(of: descriptor) ?? 0)
    }

    deinit { if case .descriptor(let descriptor) = place { close(descriptor) } }

    /// Reads exactly `count` bytes from `offset`. The caller must limit `count`.
    func read(at offset: UInt64, count: Int) throws(Problem) -> [UInt8] {
        guard let start = off_t(exactly: offset), count >= 0, !start.addingReportingOverflow(off_t(count)).overflow else { throw .ended }
        switch place {
        case .descriptor(let descriptor): return try Self.read(descriptor, from: start, count: count)
        case .memory(let bytes):
            guard start + count <= bytes.count else { throw .ended }
            return Array(bytes[start..<start + count])
        }
    }

    private static func read(_ descriptor: CInt, from start: off_t, count: Int) throws(Problem) -> [UInt8] {
        // The current size is checked, so that no memory is allocated for bytes that are gone.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(.last) }
        guard start + off_t(count) <= status.st_size else { throw .ended }
        var problem: Problem?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, start + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    problem = got == 0 ? .ended : .system(.last)
                    return
                }
                filled += got
            }
        }
        if let problem { throw problem }
        return bytes
    }
}
