import Foundation

/// An account of each role, whose keys are made once for all tests of the process. A server makes them at its first start too, but in a
/// debug build a key takes it a second.
enum MadeAccounts {
    private static let maker = "/usr/bin/openssl"
    private static let files: Result<[String: Data], any Error> = Result {
        var files: [String: Data] = [:]
        for role in ["admin", "consumer", "driver", "server"] { files[role + ".pem"] = try key() }
        return files
    }

    /// Writes them into a key folder, for the owner alone. Without openssl nothing is written, and the server makes them.
    static func write(to folder: String) throws {
        guard FileManager.default.isExecutableFile(atPath: maker) else { return }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (name, key) in try files.get() {
            let path = folder + "/" + name
            try key.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    private static func key() throws -> Data {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: maker)
        process.arguments = ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
