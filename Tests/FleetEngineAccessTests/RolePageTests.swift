import Foundation
import Testing

@testable import FleetEngineAccess

@Suite("The page about roles")
struct RolePageTests {
    /// Returns the calls named in each row of the table in docs/serving.md. The key is the first cell of the row.
    private static func named() throws -> [String: Set<EngineRPC>] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/serving.md"), encoding: .utf8)
        let table = try #require(page.components(separatedBy: "| role | may call |\n").last?.components(separatedBy: "\n\n").first)
        return table.split(separator: "\n").dropFirst().reduce(into: [:]) { rows, line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let role = cells.first, let calls = cells.last else { return }
            rows[role] = Set(calls.matches(of: #/\w+/#).compactMap { EngineRPC(name: String($0.output)) })
        }
    }

    /// Returns the calls that a token with all ids allows.
    private static func possible(_ role: AccountRole, _ claims: DeliveryClaims = .everything) -> Set<EngineRPC> {
        let grant = AccessGrant(role: role, tripID: "*", vehicleID: "*", deliveries: claims)
        return Set(EngineRPC.allCases.filter { RoleTable.denial(grant, of: $0) == nil })
    }

    @Test("docs/serving.md names the calls that each role may make")
    func calls() throws {
        let all = Set(EngineRPC.allCases)
        let driver = Self.possible(.driver, DeliveryClaims(vehicleID: "*"))
        let expected = [
            "consumer": Self.possible(.consumer), "driver": driver, "driver, trusted": Self.possible(.driver).subtracting(driver),
            "server": all.subtracting(Self.possible(.server)), "admin": all.subtracting(Self.possible(.admin)),
        ]
        #expect(try Self.named() == expected)
    }
}
