import Foundation
import Testing

/// The system's gzip command.
enum GzipCommand {
    /// Compresses a file in place. The compressed file keeps the original name.
    static func pack(_ path: String) throws {
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/env")
        gzip.arguments = ["gzip", path]
        try gzip.run()
        gzip.waitUntilExit()
        try FileManager.default.moveItem(atPath: path + ".gz", toPath: path)
        try #require(try Data(contentsOf: URL(filePath: path)).starts(with: [0x1F, 0x8B]))
    }
}
