import FleetEngineAccess
import HTTPServing
import NIOCore
import Synchronization

/// Where a call comes from and whose it is, as logs tell it. No token and no key is in it.
struct CallSource: Sendable {
    /// The account and the key that a caller has shown.
    struct Name: Hashable, Sendable {
        /// The account of the provider API's keys.
        static let providerAPI = "provider-api"
        /// The account of the phones in cars.
        static let phone = "phone"

        /// The e-mail of a token's account, or one of the two above.
        var account: String
        /// The `kid` of a token, the name of a provider API's key, or the bare id of a phone's car.
        var keyID: String
    }

    /// The other end of the connection; nil for a call of this process.
    var peer: SocketAddress?
    /// Nil as long as the caller has shown neither a token nor a key.
    var name: Name?

    /// Nil where there is none.
    var address: CallerAddress? { CallerAddress(peer) }

    /// The IP address as logs write it.
    var remoteIP: String? {
        guard let text = peer?.ipAddress else { return nil }
        // An IPv4 address as a socket of both kinds tells it.
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
    }

    /// A caller with a verified token.
    mutating func name(_ grant: AccessGrant) { name = Name(account: grant.email, keyID: grant.keyID) }
}

/// Who sends the HTTP request that is being answered. What knows him better on the way writes it down here, for the logs.
final class HTTPCaller: Sendable {
    /// Nil in a task that answers no HTTP request.
    @TaskLocal static var current: HTTPCaller?

    private let known: Mutex<CallSource>

    init(peer: SocketAddress?) { known = Mutex(CallSource(peer: peer)) }

    var source: CallSource { known.withLock { $0 } }

    func note(_ name: CallSource.Name?) { known.withLock { $0.name = name } }
}
