import FleetEngine
import Foundation
import Testing

@testable import FleetEngineAccess

@Suite("The gate")
struct AccessGateTests {
    private let clock = HandClock()

    private func gate(_ ring: AccountRing = TestAccounts.ring) -> AccessGate {
        AccessGate(accounts: ring, deskKey: "secret") { [clock] in clock.now }
    }

    private func refusal(_ gate: AccessGate, _ authorization: String?) async -> FleetEngineError? {
        do throws(FleetEngineError) {
            _ = try await gate.grant(authorization: authorization)
            return nil
        } catch { return error }
    }

    @Test("a verified token is refused once it has expired")
    func expiry() async throws {
        let (gate, text) = (gate(), try TestToken().text())
        for _ in 1...2 { #expect(try await gate.grant(authorization: "Bearer \(text)").tripID == "t1") }
        clock.set(TestToken.now + 3_589)
        #expect(try await gate.grant(authorization: "bearer  \(text)").tripID == "t1")
        for _ in 1...2 {
            clock.set(TestToken.now + 3_590)
            let error = await refusal(gate, "Bearer \(text)")
            #expect(error?.code == .unauthenticated && error?.message == "the token has expired")
        }
    }

    @Test("a verified token is refused when its account is removed or has another key")
    func goneAccount() async throws {
        let (gate, text) = (gate(), try TestToken().text())
        #expect(try await gate.grant(authorization: "Bearer \(text)").role == .consumer)
        gate.replace(accounts: TestAccounts.ring, deskKey: "secret")
        #expect(try await gate.grant(authorization: "Bearer \(text)").role == .consumer)
        gate.replace(accounts: AccountRing([try TestAccounts.of(.server)]), deskKey: "secret")
        #expect(await refusal(gate, "Bearer \(text)")?.message == "the token's 'kid' does not name a key of this server")
        let (old, other) = (try TestAccounts.of(.consumer), try TestAccounts.of(.driver))
        let changed = Account(
            role: .consumer, name: old.name, keyID: old.keyID, email: old.email, publicKey: other.publicKey, privateKey: nil)
        gate.replace(accounts: AccountRing([changed]), deskKey: "secret")
        #expect(await refusal(gate, "Bearer \(text)")?.message == "the token's signature is wrong")
    }

    @Test("a call without a token is refused", arguments: [nil, "", "Bearer", "Bearer ", "Basic abc", "abc"])
    func noToken(authorization: String?) async {
        let error = await refusal(gate(), authorization)
        #expect(error?.code == .unauthenticated && error?.message == "the call has no token; send the header 'authorization: Bearer TOKEN'")
    }

    @Test("it makes tokens that it accepts, and reports where a key is missing")
    func mint() async throws {
        let gate = gate()
        let token = try await gate.mint(.driver, tripID: nil, vehicleID: "v1")
        #expect(try await gate.grant(authorization: "Bearer \(token.secret)").vehicleID == "v1")
        gate.replace(accounts: AccountRing(), deskKey: "secret")
        await #expect(throws: AccountError(description: "there is no driver account")) {
            try await gate.mint(.driver, tripID: nil, vehicleID: "v1")
        }
    }

    @Test("a token with many tasks is accepted, but not remembered, because it is large")
    func large() async throws {
        let gate = gate()
        func header(_ count: Int) async throws -> String {
            let tasks = DeliveryClaims(taskIDs: (0..<count).map { "6f9619ff-8b86-d011-b42d-00c04fc9\(1_000 + $0)" })
            return "Bearer \(try await gate.mint(.server, tripID: nil, vehicleID: nil, deliveries: tasks).secret)"
        }
        for (count, isRemembered) in [(10, true), (500, false)] {
            let sent = try await header(count)
            #expect(try await gate.grant(authorization: sent).deliveries.taskIDs.count == count)
            #expect((gate.rememberedGrant(authorization: sent) != nil) == isRemembered)
        }
    }

    @Test("the desk accepts only its own key")
    func deskKey() async throws {
        let gate = gate()
        #expect(gate.deskKey(authorization: "Bearer secret")?.rights == Set(DeskRight.allCases))
        for other in [
            nil, "", "secret", "Bearer Secret", "Bearer secre", "Bearer secrets", "Basic secret", "Bearer \(try TestToken().text())",
        ] {
            #expect(gate.deskKey(authorization: other) == nil, "\(other ?? "nil")")
        }
        gate.replace(accounts: TestAccounts.ring, deskKey: "new")
        #expect(gate.deskKey(authorization: "Bearer new") != nil && gate.deskKey(authorization: "Bearer secret") == nil)
    }

    @Test("a key of the provider API has the rights in its own file, until that file is removed")
    func limitedKey() throws {
        let gate = gate()
        let vans = try DeskKey(name: "desk-vans", text: "v4ns\nrights: phones  book\n")
        gate.replace(accounts: TestAccounts.ring, deskKey: "secret", limitedKeys: [vans])
        let found = try #require(gate.deskKey(authorization: "Bearer v4ns"))
        #expect(found.name == "desk-vans" && found.rights == [.book, .phones])
        #expect(gate.deskKey(authorization: "Bearer secret")?.name == "desk")
        gate.replace(accounts: TestAccounts.ring, deskKey: "secret")
        #expect(gate.deskKey(authorization: "Bearer v4ns") == nil)
    }

    @Test(
        "for a file that contains no key, the error says what to write in it",
        arguments: [
            ("", "first line"), ("two words\nrights: book", "first line"), ("\nrights: book", "first line"), ("k", "has no rights"),
            ("k\nbook", "has no rights"), ("k\nrights:", "has no rights"), ("k\nrights: boook", "an unknown right"),
            ("k\nrights: book\nrights: phones", "more than two lines"),
        ])
    func malformedKey(text: String, words: String) {
        let error = #expect(throws: DeskKeyError.self) { try DeskKey(name: "desk-x", text: text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
