import Foundation
import Testing

/// An account for each role, made once for all tests of the process. In a debug build, a server that makes its own accounts spends most of
/// its first start on that.
enum MadeAccounts {
    private static let files: Result<[String: Data], any Error> = Result {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        var files: [String: Data] = [:]
        for role in ["admin", "consumer", "driver", "server"] {
            let made = try Program().run(["token", "keys", "new", role, "--name", "made", "--keys", folder.keys])
            try #require(made.status == 0, "\(made.errors)")
            files[role + ".pem"] = try Data(contentsOf: URL(filePath: "\(folder.keys)/\(role)-made.pem"))
        }
        return files
    }

    /// Writes the accounts into a key folder that only the owner can read.
    static func write(to folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (name, key) in try files.get() {
            let path = folder + "/" + name
            try key.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }
}
