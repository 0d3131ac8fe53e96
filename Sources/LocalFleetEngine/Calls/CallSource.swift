import FleetEngineAccess
import HTTPServing
import NIOCore
import Synchronization

/// Origin and caller of a call, for the logs. Contains no token and no key.
struct CallSource: Sendable {
    /// Account and key of a caller.
    struct Name: Hashable, Sendable {
        /// The account of the provider API's keys.
        static let providerAPI = "provider-api"
        /// The account of the phones in cars.
        static let phone = "phone"

        /// E-mail address of a token's account, or one of the two constants above.
        var account: String
        /// `kid` of a token, name of a provider API key, or bare id of a phone's car.
        var keyID: String
    }

    /// Address of the connection's other end; nil for a call from this process.
    var peer: SocketAddress?
    /// Account and key; nil until the caller has shown a token or a key.
    var name: Name?

    /// Address of the caller, for the limits; nil without an IP address.
    var address: CallerAddress? { CallerAddress(peer) }

    /// IP address in the notation of the logs.
    var remoteIP: String? { peer?.plainIP }

    /// Names the caller by its verified token.
    mutating func name(_ grant: AccessGrant) { name = Name(account: grant.email, keyID: grant.keyID) }
}

/// Sender of the HTTP request that is being answered. Code that identifies the sender records the account here, for the logs.
final class HTTPCaller: Sendable {
    /// Sender of the HTTP request that the present task answers; nil in other tasks.
    @TaskLocal static var current: HTTPCaller?

    private let known: Mutex<CallSource>

    init(peer: SocketAddress?) { known = Mutex(CallSource(peer: peer)) }

    var source: CallSource { known.withLock { $0 } }

    func note(_ name: CallSource.Name?) { known.withLock { $0.name = name } }
}
