import FleetEngine
import Foundation
import Testing

@testable import FleetEngineAccess

@Suite("The checks of a token")
struct TokenCheckTests {
    private static func check(_ text: String, now: Double = TestToken.now) async throws(FleetEngineError) -> AccessGrant {
        try await TokenCheck.grant(text, TestAccounts.ring, now: now)
    }

    private static func expectRefusal(_ text: String, _ words: String, now: Double = TestToken.now) async {
        do throws(FleetEngineError) {
            _ = try await check(text, now: now)
            Issue.record("taken, in spite of: \(words)")
        } catch {
            // A token without scopes is valid, but gives access to nothing.
            #expect(error.code == (words == noScopes ? .permissionDenied : .unauthenticated) && error.message == words)
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let words: String
        let change: @Sendable (inout TestToken) throws -> Void
        var testDescription: String { words }

        init(_ words: String, _ change: @escaping @Sendable (inout TestToken) throws -> Void) {
            (self.words, self.change) = (words, change)
        }
    }

    private static let noScopes = "JWT does not contain any scopes."
    private static let unreadable = "the token's claims cannot be read"
    private static let faults: [Fault] = [
        Fault("the token's 'alg' is not RS256") { $0.header["alg"] = "RS512" },
        Fault("the token's 'alg' is not RS256") { $0.header["alg"] = "none" },
        Fault("the token's 'alg' is not RS256") { $0.header["alg"] = "HS256" },
        Fault("the token's 'alg' is not RS256") { $0.header["alg"] = nil },
        Fault("the token's 'crit' is not supported") { $0.header["crit"] = ["exp"] },
        Fault("the token has no 'kid'") { $0.header["kid"] = nil },
        Fault("the token has no 'kid'") { $0.header["kid"] = "" },
        Fault("the token's 'kid' does not name a key of this server") { $0.header["kid"] = "other" },
        Fault("the token is not a JSON Web Token") { $0.header["kid"] = 7 },
        Fault("the token's signature is wrong") { $0.signer = try TestAccounts.of(.server) },
        Fault("the token's 'iss' is not the account that owns the signing key") { $0.claims["iss"] = nil },
        Fault("the token's 'iss' is not the account that owns the signing key") { $0.claims["iss"] = "server@tripwatch.local" },
        Fault("the token's 'sub' is not the account that owns the signing key") { $0.claims["sub"] = nil },
        Fault("the token's 'sub' is not the account that owns the signing key") { $0.claims["sub"] = "server@tripwatch.local" },
        Fault("the token's 'aud' is not https://fleetengine.googleapis.com/") { $0.claims["aud"] = nil },
        Fault("the token's 'aud' is not https://fleetengine.googleapis.com/") { $0.claims["aud"] = "https://fleetengine.googleapis.com" },
        Fault("the token has no 'iat'") { $0.claims["iat"] = nil },
        Fault("the token has no 'exp'") { $0.claims["exp"] = nil },
        Fault(unreadable) { $0.claims["exp"] = "soon" },
        Fault("the token is not valid yet") { ($0.claims["iat"], $0.claims["exp"]) = (TestToken.now + 601, TestToken.now + 700) },
        Fault("the token is not valid yet") { $0.claims["nbf"] = TestToken.now + 601 },
        Fault("the token has expired") { $0.claims["exp"] = TestToken.now },
        Fault("the token's 'exp' is before its 'iat'") { ($0.claims["iat"], $0.claims["exp"]) = (TestToken.now + 100, TestToken.now + 50) },
        Fault("the token's 'exp' is more than 60 minutes after its 'iat'") { $0.claims["exp"] = TestToken.now + 3_601 },
        Fault(noScopes) { $0.claims["authorization"] = nil },
        Fault(noScopes) { $0.claims["authorization"] = [String: String]() },
        Fault(noScopes) { $0.claims["authorization"] = ["tripid": ""] },
        Fault(noScopes) { $0.claims["authorization"] = ["taskids": [String]()] },
        Fault(unreadable) { $0.claims["authorization"] = ["tripid": 7] },
        Fault(unreadable) { $0.claims["authorization"] = "t1" },
    ]

    @Test("each fault is refused with its own message", arguments: faults)
    func refusal(of fault: Fault) async throws {
        var token = try TestToken()
        try fault.change(&token)
        await Self.expectRefusal(try token.text(), fault.words)
    }

    @Test("text that is not a token is refused", arguments: ["", ".", "..", "a.b", "a.b.c.d", "§.§.§", "e30.e30.", "bnVsbA.e30.e30"])
    func noToken(text: String) async {
        do throws(FleetEngineError) {
            _ = try await Self.check(text)
            Issue.record("taken")
        } catch { #expect(error.code == .unauthenticated) }
    }

    @Test("claims that could harm a reader are refused")
    func hostileClaims() async throws {
        let token = try TestToken()
        let nested = [129, 513, 100_000].map { String(repeating: "[", count: $0) }
        for claims in nested + ["{\"exp\":1e400}", "null", "[]", "\u{0}"] {
            await Self.expectRefusal(try token.text(claimsJSON: Data(claims.utf8)), Self.unreadable)
        }
        for text in nested {
            let header = Data(text.utf8).base64EncodedString().replacing("=", with: "")
            await Self.expectRefusal("\(header).e30.e30", "the token is not a JSON Web Token")
        }
    }

    @Test("a token at each of its limits is accepted")
    func borders() async throws {
        var token = try TestToken()
        (token.claims["iat"], token.claims["exp"]) = (TestToken.now + 600, TestToken.now + 4_200)
        #expect(try await Self.check(try token.text()).expiry == TestToken.now + 4_200)
        (token.claims["iat"], token.claims["exp"]) = (TestToken.now - 3_599, TestToken.now + 1)
        #expect(try await Self.check(try token.text()).tripID == "t1")
        for (issued, expiry) in [(0.0, 3_600.000_02), (-10, 3_600), (0, 3_610)] {
            (token.claims["iat"], token.claims["exp"]) = (TestToken.now + issued, TestToken.now + expiry)
            #expect(try await Self.check(try token.text()).expiry == TestToken.now + expiry)
        }
        token.claims["aud"] = ["https://else.example/", "https://fleetengine.googleapis.com/"]
        #expect(try await Self.check(try token.text()).tripID == "t1")
    }

    @Test("a token's claims say what it allows, and its account says its role")
    func grants() async throws {
        var token = try TestToken(.driver)
        token.claims["authorization"] = ["vehicleid": "v1", "tripid": "*"]
        let grant = try await Self.check(try token.text())
        #expect(grant.role == .driver && grant.email == "driver@tripwatch.local" && grant.tripID == "*" && grant.vehicleID == "v1")
        #expect(grant.deliveries == DeliveryClaims() && !grant.isReadOnly)
    }

    @Test("a token for deliveries contains a shipment, tasks and a vehicle, and says whether it is trusted or read-only")
    func deliveryGrants() async throws {
        var token = try TestToken(.driver)
        token.claims["authorization"] = ["taskid": "a"]
        let task = try await Self.check(try token.text())
        #expect(task.tripID == nil && task.vehicleID == nil && task.deliveries == DeliveryClaims(taskID: "a"))
        token.claims["authorization"] =
            ["trackingid": "p", "taskids": ["a", "", "b"], "deliveryvehicleid": "van", "trusted": true, "readonly": true]
            as [String: any Sendable]
        let all = try await Self.check(try token.text())
        #expect(all.deliveries == DeliveryClaims(trackingID: "p", taskIDs: ["a", "b"], vehicleID: "van", isTrusted: true))
        #expect(all.isReadOnly)
        for (name, value) in [("taskids", "a"), ("trusted", "yes"), ("readonly", 1.5)] as [(String, any Sendable)] {
            token.claims["authorization"] = ["trackingid": "p", name: value] as [String: any Sendable]
            await Self.expectRefusal(try token.text(), Self.unreadable)
        }
        token.claims["authorization"] = ["trusted": true, "readonly": true]
        await Self.expectRefusal(try token.text(), Self.noScopes)
    }

    @Test("a minted token for deliveries contains what was requested")
    func mintedDeliveries() async throws {
        let account = try TestAccounts.ring.signer(.server)
        let now = Date(timeIntervalSince1970: TestToken.now)
        let claims = DeliveryClaims(trackingID: "p", taskID: "a", taskIDs: ["b"], vehicleID: "*", isTrusted: true)
        let token = try await MintedToken(
            account, tripID: nil, vehicleID: nil, deliveries: claims, isReadOnly: true, lifeSeconds: 60, now: now)
        let grant = try await TokenCheck.grant(token.secret, TestAccounts.ring, now: TestToken.now)
        #expect(grant.deliveries == claims && grant.isReadOnly && grant.tripID == nil && grant.vehicleID == nil)
    }

    @Test("an admin needs no ids")
    func admin() async throws {
        var token = try TestToken(.admin)
        token.claims["authorization"] = nil
        #expect(try await Self.check(try token.text()).role == .admin)
    }

    @Test("a token that is made here is accepted, for each role and key format")
    func minted() async throws {
        let file = try #require(AccountFile(role: .server, suffix: "google", form: .serviceAccount))
        let google = try Account.make(file).account
        let now = Date(timeIntervalSince1970: TestToken.now + 0.9)
        for account in TestAccounts.ring.accounts + [google] {
            let token = try await MintedToken(account, tripID: "t1", vehicleID: nil, lifeSeconds: 3_600, now: now)
            let ring = AccountRing([account])
            let grant = try await TokenCheck.grant(token.secret, ring, now: TestToken.now)
            #expect(grant.role == account.role && grant.tripID == "t1" && grant.vehicleID == nil)
            #expect(token.issuedAt == Int64(TestToken.now) && token.expiresAt == token.issuedAt + 3_600)
            let warnings = TokenInspection(AccessToken(secret: token.secret), now: now).warnings
            #expect(warnings == [] && !"\(token)".contains(token.secret) && !String(reflecting: token).contains(token.secret))
        }
    }
}
