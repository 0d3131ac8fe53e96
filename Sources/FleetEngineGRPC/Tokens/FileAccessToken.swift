public import FleetEngine
import FoundationEssentials

/// The token in a file, read again whenever it is wanted: another program keeps it fresh.
public struct FileAccessToken: AccessTokenProvider {
    private let path: String

    public init(path: String) { self.path = path }

    public func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        let text: String
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            if let size = attributes[.size] as? Int, size > AccessToken.maximumBytes { throw TooLarge() }
            text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        } catch is TooLarge {
            throw .missingData("the token file \(path) is larger than any token")
        } catch {
            throw .missingData("the token file \(path) cannot be read")
        }
        return try AccessToken.checked(text, origin: "token file \(path)")
    }

    public var canRenew: Bool { true }

    private struct TooLarge: Error {}
}
