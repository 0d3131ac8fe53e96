import Foundation
import Testing

/// The `curl` of this machine, if it is installed.
struct WebClient {
    static let path = ["/usr/bin/curl", "/usr/local/bin/curl"].first { FileManager.default.isExecutableFile(atPath: $0) }

    struct Answer {
        let status: Int
        /// The lines of the header, in lower case.
        let headers: [String]
        let body: String
    }

    /// Sends a request and returns the whole answer.
    static func get(_ url: String, _ options: String...) throws -> Answer {
        let text = try output(["-i", "--raw"] + options + [url])
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts.first.map { $0.split(separator: "\r\n").map { $0.lowercased() } } ?? []
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, headers: Array(lines.dropFirst()), body: parts.count == 2 ? String(parts[1]) : "")
    }

    /// Runs curl until it ends, and returns its output.
    static func output(_ arguments: [String]) throws -> String {
        let (process, pipe) = try start(arguments)
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Starts curl. It runs until the other side ends the answer, or until curl is stopped.
    static func start(_ arguments: [String]) throws -> (Process, Pipe) {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = ["-s", "-N", "--noproxy", "*", "-m", "120"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        return (process, pipe)
    }
}
