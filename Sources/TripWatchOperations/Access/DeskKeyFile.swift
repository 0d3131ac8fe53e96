import Files
import FleetEngine
import FleetEngineAccess
import Geo
package import ProgramSurroundings
import TripWatchWords

/// The file with the provider API key.
package struct DeskKeyFile: Sendable {
    static let standardName = "desk.key"
    static let largestKiB = 4

    let path: String

    package init(path: String) { self.path = path }

    /// Returns the key that a client sends, without the rights that may be listed below it.
    /// - Throws: `Failure` if the file is missing or has no key.
    package func read() throws(Failure) -> String {
        let text = try text()
        if let secret = DeskKey.secret(besideRightsIn: text) { return secret }
        return try key(text)
    }

    /// Returns the key with all rights.
    /// - Throws: `Failure` if the file is missing, has no key, or lists rights.
    func readFullKey() throws(Failure) -> String {
        let text = try text()
        guard DeskKey.secret(besideRightsIn: text) == nil else {
            throw Failure(
                message:
                    "\(printable(path)) contains the key with all rights, so it must have only one line: remove line 2, "
                    + "or rename the file to desk-NAME.key to give the key only the rights on line 2.",
                exitCode: ExitCodes.failed)
        }
        return try key(text)
    }

    private func text() throws(Failure) -> String {
        let bytes: [UInt8]
        do throws(SmallFile.Trouble) {
            bytes = try SmallFile.bytes(path: path, limit: Self.largestKiB << 10)
        } catch {
            let words = error.words(limitKiB: Self.largestKiB)
            throw Failure(message: "the provider API key \(printable(path)) \(words).", exitCode: ExitCodes.failed)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func key(_ text: String) throws(Failure) -> String {
        do throws(AccessTokenError) {
            return try AccessToken.checked(text, origin: "file").secret
        } catch {
            throw Failure(
                message: "\(printable(path)) contains no key: write one word of printable ASCII into it.", exitCode: ExitCodes.failed)
        }
    }

    /// Creates a key if the file is missing.
    /// - Returns: whether a key was created.
    func makeIfMissing() throws(Failure) -> Bool {
        do throws(SmallFile.Trouble) {
            _ = try SmallFile.bytes(path: path, limit: Self.largestKiB << 10)
            return false
        } catch {
            guard error == .missing else { return false }
        }
        var random = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        return try SecretFile.create(path, Array((URLSafeBase64.encode(secret, isPadded: false) + "\n").utf8))
    }
}
