import Files
import Glibc

/// The reason why a file cannot be used as a base map.
public struct BaseMapFileError: Error, Sendable, Hashable {
    /// What is wrong with the file.
    public enum Problem: Error, Sendable, Hashable {
        /// The file does not exist.
        case missing
        /// The user has no permission to read the file.
        case forbidden
        /// The path is a directory.
        case directory
        /// The path is a pipe, a device or a socket.
        case notAFile
        /// The system cannot read the file; the text is the system's error message.
        case unreadable(String)
        /// The file has no bytes.
        case empty
        /// The format of the file is not supported.
        case unknownFormat
        /// The file is a single tile, and its name does not contain the tile's address.
        case noAddress
        /// The file has fewer bytes than expected.
        case truncated(expectedByteCount: UInt64, byteCount: UInt64)
        /// The file is a PMTiles archive, but of the given version instead of version 3.
        case version(Int)
        /// The named part of the file breaks the rules of the format.
        case damaged(String)
        /// The file uses the named compression, which is not supported.
        case compression(String)
        /// The tiles are of the named kind; they are not vector tiles.
        case contents(String)
        /// The file has no tiles.
        case noTiles
    }

    /// The path of the file as requested.
    public var path: String
    /// What is wrong with the file.
    public var problem: Problem

    /// Creates the error for a problem with the file at a path.
    public init(_ path: String, _ problem: Problem) {
        self.path = path
        self.problem = problem
    }
}

extension BaseMapFileError: CustomStringConvertible {
    /// One sentence for the user: the file, the reason, and what to do.
    public var description: String {
        let (reason, advice) = words
        return "\(PlainText.line(path)) cannot be used as a map: \(reason); \(advice)."
    }

    private var words: (reason: String, advice: String) { problem.words }
}

extension BaseMapFileError.Problem {
    /// The reason, worded as part of a longer sentence.
    package var reason: String { words.reason }

    fileprivate var words: (reason: String, advice: String) {
        switch self {
        case .missing: ("there is no such file", "check the path")
        case .forbidden: ("you have no permission to read it", "change its permissions")
        case .directory: ("it is a directory", "give the path of a file")
        case .notAFile: ("it is not a regular file", "copy its content into a file")
        case .unreadable(let reason): ("it cannot be read (\(PlainText.line(reason)))", "check the disk")
        case .empty: ("it is empty", "fetch it again")
        case .unknownFormat: ("it is neither PMTiles nor MBTiles nor a vector tile", "convert it into one of them")
        case .noAddress:
            ("it is a single tile, and the file's name does not say which one", "name it ZOOM-X-Y.mvt, such as 14-8803-5376.mvt")
        case .truncated(let expected, let count): ("it has \(count) of \(expected) bytes", "fetch it again")
        case .version(let number):
            ("it is PMTiles version \(number), and only version 3 is supported", "convert it with 'pmtiles convert'")
        case .damaged(let part): ("its \(PlainText.line(part)) is damaged", "fetch it again")
        case .compression(let name):
            ("its contents are compressed with \(name), which is not supported", "create the file again with gzip compression")
        case .contents(let kind): ("its tiles are \(PlainText.line(kind))", "use a map with vector tiles (MVT)")
        case .noTiles: ("it has no tiles", "create or download it again")
        }
    }
}

extension BaseMapFileError.Problem {
    /// Creates the problem for a path that cannot be opened.
    init(_ error: Files.OpenError) {
        switch error {
        case .directory: self = .directory
        case .notAFile: self = .notAFile
        case .system(let reason): self.init(systemError: reason)
        }
    }

    /// Creates the problem for a system error that occurred while a file was opened or read.
    init(systemError error: SystemError) {
        switch error.code {
        case ENOENT, ENOTDIR: self = .missing
        case EACCES, EPERM: self = .forbidden
        default: self = .unreadable(error.words)
        }
    }
}
