import FleetEngineAccess
import HTTPServing
import NIOCore
import Synchronization

/// The network address and the caller of a call, for the logs. Contains no token and no key.
struct CallSource: Sendable {
    /// Account and key of a caller.
    struct Name: Hashable, Sendable {
        /// The account name for callers that use a key of the provider API.
        static let providerAPI = "provider-api"
        /// The account name for the phones in cars.
        static let phone = "phone"

        /// E-mail address of a token's account, or one of the two constants above.
        var account: String
        /// The `kid` of a token, the name of a provider API key, or the bare id of the car that a phone belongs to.
        var keyID: String
    }

    /// Network address of the client; nil for a call from this process.
    var peer: SocketAddress?
    /// Account and key; nil until the caller has shown a token or a key.
    var name: Name?

    /// The caller's address, to which the limits apply; nil if the caller has no IP address.
    var address: CallerAddress? { CallerAddress(peer) }

    /// IP address in the notation of the logs.
    var remoteIP: String? { peer?.plainIP }

    /// Sets the caller's account and key from its verified token.
    mutating func name(_ grant: AccessGrant) { name = Name(account: grant.email, keyID: grant.keyID) }
}

/// The sender of the HTTP request that is being answered. Once the sender is identified, its account is noted here for the
/// logs.
final class HTTPCaller: Sendable {
    /// The sender of the HTTP request that the current task answers; nil in other tasks.
    @TaskLocal static var current: HTTPCaller?

    private let known: Mutex<CallSource>

    init(peer: SocketAddress?) { known = Mutex(CallSource(peer: peer)) }

    var source: CallSource { known.withLock { $0 } }

    func note(_ name: CallSource.Name?) { known.withLock { $0.name = name } }
}
