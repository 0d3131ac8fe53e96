import Files
import Glibc
package import NIOSSL
import Synchronization

/// The certificate of a port, as it was last read from its files. Open connections keep the certificate with which they began.
package final class PortCertificate: Sendable {
    private let security: ServerSecurity
    private let protocols: [String]
    private let read: Mutex<NIOSSLContext>

    package var context: NIOSSLContext { read.withLock { $0 } }

    /// Reads the certificate; nil without TLS.
    ///
    /// - Parameter protocols: the protocols inside TLS, for ALPN.
    /// - Throws: a `ListenError` that names the file and the fault.
    package init?(_ security: ServerSecurity, protocols: [String]) throws(ListenError) {
        guard let context = try security.context(protocols: protocols) else { return nil }
        self.security = security
        self.protocols = protocols
        read = Mutex(context)
    }

    /// Reads the files again. If they cannot be used, the certificate stays the same.
    /// - Throws: a `ListenError` that names the file and the fault.
    package func readAgain() throws(ListenError) {
        if let context = try security.context(protocols: protocols) { read.withLock { $0 = context } }
    }
}

/// The protection of a port's connections.
public enum ServerSecurity: Hashable, Sendable {
    /// Without TLS.
    case plaintext
    /// TLS with PEM files. The certificate file may contain a chain, which begins with the server's own certificate.
    case tls(certificateFile: String, keyFile: String)
}

extension ServerSecurity {
    /// The paths of the certificate and the key; empty without TLS.
    package var paths: [String] {
        if case .tls(let certificateFile, let keyFile) = self { [certificateFile, keyFile] } else { [] }
    }

    /// The path of the key; nil without TLS.
    package var keyPath: String? { if case .tls(_, let keyFile) = self { keyFile } else { nil } }

    /// The maximum number of bytes that are read from a file.
    private static let largestFile = 1 << 20

    /// The cipher suites of TLS 1.2. All have forward secrecy: a key that is stolen later cannot decrypt recorded connections.
    private static let suites = "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES"

    /// Returns the context for a port's TLS handlers; nil without TLS.
    ///
    /// - Parameter protocols: the protocols inside TLS, for ALPN.
    /// - Throws: a `ListenError` that names the file and the fault.
    func context(protocols: [String]) throws(ListenError) -> NIOSSLContext? {
        guard case .tls(let certificateFile, let keyFile) = self else { return nil }
        let chain = try Self.certificates(certificateFile)
        let key = try Self.key(keyFile)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = Self.suites
        configuration.applicationProtocols = protocols
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .init(description: "the key in \(keyFile) does not match the certificate in \(certificateFile)")
        }
    }

    /// Returns the times between which the server's own certificate is valid, in seconds since 1970; nil without TLS.
    /// - Throws: a `ListenError` that names the file and the fault.
    package func validity() throws(ListenError) -> (from: Int, to: Int)? {
        guard case .tls(let certificateFile, _) = self, let own = try Self.certificates(certificateFile).first else { return nil }
        return (Int(own.notValidBefore), Int(own.notValidAfter))
    }

    private static func certificates(_ file: String) throws(ListenError) -> [NIOSSLCertificate] {
        let bytes = try contents(file, what: "certificate")
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(bytes), !chain.isEmpty else {
            throw .init(description: "\(file) contains no PEM certificate")
        }
        return chain
    }

    private static func key(_ file: String) throws(ListenError) -> NIOSSLPrivateKey {
        let bytes = try contents(file, what: "key")
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw .init(description: "\(file) must contain a private key in PEM, without a password")
        }
        return key
    }

    /// Returns the content of a file, cut after `largestFile` bytes.
    private static func contents(_ file: String, what: String) throws(ListenError) -> [UInt8] {
        do throws(SystemError) {
            // The file may be a pipe that a shell has opened.
            let descriptor = open(file, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemError.last }
            defer { close(descriptor) }
            return try Files.bytes(of: descriptor, limit: largestFile)
        } catch {
            let reason =
                switch error.code {
                case ENOENT: "there is no such file"
                case EACCES: "you have no permission to read it"
                case EISDIR: "it is a folder"
                default: error.words
                }
            throw .init(description: "the \(what) \(file) cannot be used: \(reason)")
        }
    }
}
