import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("The names of recorded rides", .timeLimit(.minutes(5)))
final class RideNameTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-names-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("a ride is recorded under a number if other screens of the same second have its names")
    func numbered() throws {
        try LocalServer.withRide(to: "-35.9850,-20.0000") { server, trip in
            let id = try #require(trip.split(separator: "/").last)
            let rides = folder.appending(path: "state/tripwatch/rides")
            try FileManager.default.createDirectory(at: rides, withIntermediateDirectories: true)
            for second in 0..<120 {
                let stamp = Date().addingTimeInterval(Double(second)).formatted(.iso8601).filter(\.isNumber)
                for name in [String(id.suffix(12)), String(id)] { try Data().write(to: rides.appending(path: "\(stamp)-\(name).trip")) }
            }
            let follow = try ProgramOnTerminal(
                ["follow", trip, "--interval", "1"] + server.connection, columns: 100,
                setting: ["XDG_STATE_HOME": folder.appending(path: "state").path, "TRIPWATCH_KEEP_RIDES": "500"])
            try follow.wait(for: "p replay")
            let numbered = try FileManager.default.contentsOfDirectory(atPath: rides.path).filter { $0.hasSuffix("-2.trip") }
            #expect(numbered.count == 1, "\(numbered)")
            follow.press("q")
            #expect(try follow.end() == 0)
        }
    }
}
