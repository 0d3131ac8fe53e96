import Foundation

/// Two files: a self-signed certificate for `127.0.0.1` and `localhost`, and its key.
public struct TestCertificate {
    public static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-certificate-\(UUID().uuidString)")
    public var certificateFile: String { folder.appending(path: "cert.pem").path }
    public var keyFile: String { folder.appending(path: "key.pem").path }

    public init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let maker = Process()
        maker.executableURL = URL(filePath: "/usr/bin/openssl")
        maker.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem",
        ]
        maker.currentDirectoryURL = folder
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
    }

    public func remove() { try? FileManager.default.removeItem(at: folder) }
}
