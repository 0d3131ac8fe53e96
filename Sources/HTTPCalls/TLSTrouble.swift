import NIOSSL

/// The kind of a TLS failure, derived from the error types of the TLS library. If a certificate arrived and was refused, the user must act.
/// Other failures do not always need an action.
package enum TLSTrouble: Hashable, Sendable {
    /// The other side's certificate arrived, but no trusted authority has signed it, or it is not valid now.
    case untrustedCertificate
    /// The other side's certificate arrived, but belongs to another host.
    case foreignCertificate
    /// The handshake failed: the other side does not speak TLS, closed the connection, or sent damaged data.
    case noHandshake
    /// An established connection was damaged, or ended without a close message.
    case brokenConnection

    /// Creates the kind for an error; nil if the error is not from the TLS library.
    package init?(_ error: any Error) {
        switch error {
        case let error as NIOSSLError: self.init(error)
        case let error as BoringSSLError: self = Self.isRefusal(error) ? .untrustedCertificate : .brokenConnection
        case let error as NIOSSLExtraError:
            let isForeign = error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch
            self = isForeign ? .foreignCertificate : .noHandshake
        default: return nil
        }
    }

    private init(_ error: NIOSSLError) {
        switch error {
        case .handshakeFailed(let reason): self = Self.isRefusal(reason) ? .untrustedCertificate : .noHandshake
        case .unableToValidateCertificate: self = .untrustedCertificate
        case .noCertificateToValidate, .cannotMatchULabel, .cannotFindPeerIP: self = .noHandshake
        default: self = .brokenConnection
        }
    }

    private static func isRefusal(_ error: BoringSSLError) -> Bool {
        guard case .sslError(let stack) = error else { return false }
        return stack.contains { number(of: $0) == certificateVerifyFailed }
    }

    /// Whether the other side's first bytes were not TLS.
    package static func isOtherProtocol(_ error: any Error) -> Bool {
        guard case .handshakeFailed(.sslError(let stack))? = error as? NIOSSLError else { return false }
        return stack.contains { number(of: $0) == wrongVersionNumber }
    }

    /// `ERR_PACK(ERR_LIB_SSL, SSL_R_WRONG_VERSION_NUMBER)`: the other side's answer is not a TLS record.
    private static let wrongVersionNumber: UInt32 = 16 << 24 | 247
    /// `ERR_PACK(ERR_LIB_SSL, SSL_R_CERTIFICATE_VERIFY_FAILED)` from BoringSSL's `err.h` and `ssl.h`.
    private static let certificateVerifyFailed: UInt32 = 16 << 24 | 125

    /// Returns BoringSSL's number for an error; nil if the number cannot be found. The library keeps the number private, so it is read from
    /// the error's description, such as `Error: 268435581 …`.
    private static func number(of error: BoringSSLInternalError) -> UInt32? {
        let words = error.description.split(separator: " ", maxSplits: 2)
        return words.count > 1 ? UInt32(words[1]) : nil
    }
}
