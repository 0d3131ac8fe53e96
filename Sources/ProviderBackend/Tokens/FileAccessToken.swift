import Files
public import FleetEngine
import FoundationEssentials
import Glibc

/// A source that reads the token from a file, which holds the token alone or JSON. When another program changes the file, ``revision``
/// changes, which shows that the token should be read again.
public struct FileAccessToken: AccessTokenProvider {
    private let path: String
    private let reader: TokenAnswerReader
    private let time: any TimeSource

    /// Creates a source that reads its token from a file.
    /// - Parameter time: the clock for an expiry that is given as seconds from now.
    public init(path: String, format: TokenAnswerFormat = TokenAnswerFormat(), time: any TimeSource = SystemTimeSource()) {
        self.path = path
        reader = TokenAnswerReader(format: format, origin: "token file \(ForeignText.line(path))")
        self.time = time
    }

    /// True, because the file may hold a different token at the next read.
    public var canRenew: Bool { true }
    /// True, because ``revision`` shows changes of the file. Also true while the file does not exist.
    public var hasRevisions: Bool { true }

    /// A number that changes when the file's contents change or another file replaces it; nil while the file does not exist.
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

    /// Reads the token from the file. All contexts get the same token.
    /// - Throws: `AccessTokenError` for an unreadable file, or a file without a token.
    public func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        try reader.token(String(decoding: try bytes(), as: UTF8.self), now: time.now())
    }

    private func bytes() throws(AccessTokenError) -> [UInt8] {
        do throws(SmallFile.Trouble) {
            return try SmallFile.bytes(path: path, limit: AccessToken.maximumBytes)
        } catch {
            switch error {
            case .missing: throw .missingData("the \(reader.origin) does not exist")
            case .unreadable: throw .missingData("the \(reader.origin) cannot be read: check its permissions")
            case .notAFile: throw .missingData("the \(reader.origin) is not a regular file")
            case .tooLarge: throw .missingData("the \(reader.origin) is larger than any token")
            }
        }
    }
}
