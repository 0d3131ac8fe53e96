import FoundationEssentials
import Glibc

/// The bytes of a file, piece by piece, so that none is too large.
public final class FileBytes {
    private static let pieceBytes = 256 << 10

    private let descriptor: Int32
    private let owns: Bool
    /// Nil for what has no size, such as a pipe.
    private let size: Int?
    private var readCount = 0
    private let progress: (Double) -> Void

    /// - Parameter progress: hears after each piece which share of the file was read, 0 ... 1.
    /// - Throws: `LocationFileError.unreadable`.
    public init(path: String, progress: @escaping (Double) -> Void = { _ in }) throws(LocationFileError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(Self.reason(errno)) }
        owns = true
        size = Self.size(descriptor)
        self.progress = progress
    }

    /// The bytes of an open file, which stays open.
    public init(descriptor: Int32, progress: @escaping (Double) -> Void = { _ in }) {
        self.descriptor = descriptor
        owns = false
        size = Self.size(descriptor)
        self.progress = progress
    }

    deinit { if owns { close(descriptor) } }

    /// The next piece; nil at the end.
    /// - Throws: `LocationFileError.unreadable`.
    public func next() throws(LocationFileError) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(Self.reason(errno)) }
            guard count > 0 else { return nil }
            piece.removeLast(piece.count - count)
            readCount += count
            if let size, size > 0 { progress(min(1, Double(readCount) / Double(size))) }
            return piece
        }
    }

    private static func size(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    static func reason(_ code: Int32) -> String { strerror(code).map { String(cString: $0).lowercased() } ?? "unknown" }
}
