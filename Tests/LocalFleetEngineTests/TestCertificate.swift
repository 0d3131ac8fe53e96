import Foundation

/// A certificate for `127.0.0.1` and `localhost` that signs itself, and its key, in files.
struct TestCertificate {
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-certificate-\(UUID().uuidString)")
    var certificateFile: String { folder.appending(path: "cert.pem").path }
    var keyFile: String { folder.appending(path: "key.pem").path }

    init() throws {
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

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
