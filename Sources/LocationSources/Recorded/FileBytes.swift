import Files
import FoundationEssentials
import Glibc

/// Reads the bytes of a file in pieces of limited size.
public final class FileBytes {
    private static let pieceBytes = 256 << 10

    private let descriptor: Int32
    private let owns: Bool
    /// Size of the file, in bytes; nil if the size is unknown, as for a pipe.
    private let size: Int?
    private var readCount = 0
    private let progress: (Double) -> Void

    /// - Parameter progress: called after each piece of a file of known size, with the fraction of the file that has been read, 0 ... 1.
    /// - Throws: `LocationFileError.unreadable`.
    public init(path: String, progress: @escaping (Double) -> Void = { _ in }) throws(LocationFileError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(SystemError.last.phrase) }
        owns = true
        size = Files.size(of: descriptor)
        self.progress = progress
    }

    /// Reads an open file, which stays open.
    public init(descriptor: Int32, progress: @escaping (Double) -> Void = { _ in }) {
        self.descriptor = descriptor
        owns = false
        size = Files.size(of: descriptor)
        self.progress = progress
    }

    deinit { if owns { close(descriptor) } }

    /// Reads the next piece; nil at the end.
    /// - Throws: `LocationFileError.unreadable`.
    public func next() throws(LocationFileError) -> [UInt8]? {
        let piece: [UInt8]
        do throws(SystemError) { piece = try Files.piece(of: descriptor, limit: Self.pieceBytes) } catch {
            throw .unreadable(error.phrase)
        }
        guard !piece.isEmpty else { return nil }
        readCount += piece.count
        if let size, size > 0 { progress(min(1, Double(readCount) / Double(size))) }
        return piece
    }
}
