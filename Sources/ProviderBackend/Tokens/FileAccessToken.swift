public import FleetEngine
import FoundationEssentials
import Glibc

/// The token in a file, alone or as JSON, read again when the file changes: another program keeps it fresh.
public struct FileAccessToken: AccessTokenProvider {
    private let path: String
    private let reader: TokenAnswerReader
    private let time: any TimeSource

    /// - Parameter time: what an expiry in seconds from now counts from.
    public init(path: String, format: TokenAnswerFormat = TokenAnswerFormat(), time: any TimeSource = SystemTimeSource()) {
        self.path = path
        reader = TokenAnswerReader(format: format, origin: "token file \(ForeignText.line(path))")
        self.time = time
    }

    public var canRenew: Bool { true }

    /// Changes with the file's contents, also when another file takes its place.
    public var revision: Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        var hasher = Hasher()
        hasher.combine(status.st_ino)
        hasher.combine(status.st_size)
        hasher.combine(status.st_mtim.tv_sec)
        hasher.combine(status.st_mtim.tv_nsec)
        return hasher.finalize()
    }

    public func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        try reader.token(String(decoding: try bytes(), as: UTF8.self), now: time.now())
    }

    private func bytes() throws(AccessTokenError) -> [UInt8] {
        // A pipe without a writer would otherwise stop the program here for ever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw .missingData(errno == ENOENT ? "there is no \(reader.origin)" : "the \(reader.origin) cannot be read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .missingData("the \(reader.origin) is not a file that can be read again and again")
        }
        var bytes = [UInt8](repeating: 0, count: AccessToken.maximumBytes + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .missingData("the \(reader.origin) cannot be read") }
            if count == 0 { return Array(bytes.prefix(filled)) }
            filled += count
        }
        throw .missingData("the \(reader.origin) is larger than any token")
    }
}
