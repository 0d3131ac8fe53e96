import Foundation
import Testing

@testable import ProgramHarness

@Suite("A list of known trips that cannot be written", SharedEngine(), .timeLimit(.minutes(1)))
struct UnwritableListTests {
    private static let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]

    @Test(
        "book does not book with settings for which the list has no place",
        arguments: [["--endpoint", "foo:bar"], ["--token-key", "foo"], ["--token-header", "a: b"]])
    func wrongSettings(options: [String]) throws {
        try withStateFolder { _, setting in
            try SharedEngine.with { _, http in
                let end = try Program().run(["book", "--provider-url", "http://\(http)"] + Self.places + options, setting: setting)
                #expect(end.status == 64 && end.lines.isEmpty, "\(end)")
            }
        }
    }

    @Test("it is reported by book without an error, by list --forget with exit code 1")
    func unwritable() throws {
        try withStateFolder { folder, setting in
            try SharedEngine.with { _, http in
                let booking = ["book", "--provider-url", "http://\(http)"] + Self.places
                let homeless = try Program().run(booking)
                #expect(homeless.status == 0 && homeless.lines.count == 1)
                let unlisted = "tripwatch: the trip is booked, but 'tripwatch list' does not show it: "
                #expect(homeless.errors == unlisted + "HOME is not set.\n")

                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let trip = try #require(try program.run(booking).lines.first)
                // A folder in place of the lock file prevents all users from writing, even root.
                let lock = folder.appending(path: "lock")
                try FileManager.default.removeItem(at: lock)
                try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
                let list = folder.appending(path: "trips.json").path
                let second = try program.run(booking)
                #expect(second.status == 0 && second.errors == unlisted + "\(list) could not be changed.\n", "\(second.errors)")
                let kept = try program.run(["list", "--forget", trip])
                #expect(kept.status == 1 && kept.lines.isEmpty)
                #expect(kept.errors == "tripwatch: '\(trip)' is still in the list: \(list) could not be changed.\n")
                #expect(try program.run(["list"]).lines.map { $0.hasPrefix("\(trip)  ") } == [true])
            }
        }
    }
}
