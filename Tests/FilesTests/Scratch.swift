import Files
import FoundationEssentials
import Glibc
import Testing

/// A folder for the files of one test. It is removed when the test ends.
final class Scratch {
    let path: String
    /// Names of the files in the folder, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tripwatch-files-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }
}

/// A descriptor that is closed when the test ends.
final class Descriptor {
    let number: Int32

    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws {
        number = open(path, flags | O_CLOEXEC, mode)
        try #require(number >= 0, "\(path): \(SystemError.last.words)")
    }

    deinit { close(number) }
}

/// A pipe whose reads and writes do not block. A write takes as many bytes as fit into the pipe.
struct NarrowPipe {
    let reader: Descriptor
    let writer: Descriptor

    init(in scratch: Scratch) throws {
        let path = scratch.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        reader = try Descriptor(path, O_RDONLY | O_NONBLOCK)
        writer = try Descriptor(path, O_WRONLY | O_NONBLOCK)
    }
}
