import Crypto
import CryptoExtras
import Foundation
import Geo
import JWTKit
import Synchronization
import Testing

@testable import FleetEngineAccess

/// Accounts for all tests. They are created once, because creating a key takes time.
enum TestAccounts {
    private static let standard: [AccountRole: Account] = {
        var accounts: [AccountRole: Account] = [:]
        for role in AccountRole.allCases {
            guard let file = AccountFile(role: role, suffix: nil, form: .pem) else { continue }
            accounts[role] = try? Account.make(file).account
        }
        return accounts
    }()
    static let ring = AccountRing(Array(standard.values))

    static func of(_ role: AccountRole) throws -> Account { try #require(standard[role]) }
}

/// A token for tests. A test can make any of its parts wrong.
struct TestToken {
    static let now = 1_780_000_000.0
    var header: [String: any Sendable]
    var claims: [String: any Sendable]
    let account: Account
    /// The account that signs the token. If it is not `account`, the signature is wrong.
    var signer: Account

    init(_ role: AccountRole = .consumer) throws {
        account = try TestAccounts.of(role)
        signer = account
        header = ["alg": "RS256", "typ": "JWT", "kid": account.keyID]
        claims = [
            "iss": account.email, "sub": account.email, "aud": "https://fleetengine.googleapis.com/", "iat": Self.now - 10,
            "exp": Self.now + 3_590, "authorization": ["tripid": "t1"],
        ]
    }

    func text() throws -> String { try text(claimsJSON: JSONSerialization.data(withJSONObject: claims)) }

    func text(claimsJSON: Data) throws -> String {
        let head = URLSafeBase64.encode(Array(try JSONSerialization.data(withJSONObject: header)), isPadded: false)
        let signed = head + "." + URLSafeBase64.encode(Array(claimsJSON), isPadded: false)
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: try #require(signer.privateKey).pemRepresentation)
        let signature = try key.signature(for: SHA256.hash(data: Data(signed.utf8)), padding: .insecurePKCS1v1_5)
        return signed + "." + URLSafeBase64.encode(Array(signature.rawRepresentation), isPadded: false)
    }
}

/// A clock whose time the tests set.
final class HandClock: Sendable {
    private let seconds = Mutex(TestToken.now)

    var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
    func set(_ value: Double) { seconds.withLock { $0 = value } }
}
