import FleetEngine
import FoundationEssentials
import TerminalCanvas
package import TripWatchApp

/// Prints the trips that were booked or followed on this machine.
package struct ListRun: Sendable {
    package var isJSON: Bool

    package init(isJSON: Bool) { self.isJSON = isJSON }

    package func perform(in surroundings: Surroundings) -> ProgramEnd {
        let now = surroundings.clock(1).now()
        let trips = surroundings.stateFile?.trips(now: now) ?? KnownTrips()
        if isJSON {
            surroundings.streams.print(trips.jsonLine)
            return .success
        }
        if trips.trips.isEmpty { surroundings.streams.note("tripwatch: no trip was booked or followed here in the last 7 days.") }
        let lines = trips.lines(now: now) { Timestamps.clock($0, secondsFromGMT: LocalZone.secondsFromGMT($0), withSeconds: false) }
        for line in lines { surroundings.streams.print(line) }
        return .success
    }
}

/// What a user reads who has called the program without a word.
package enum FirstWords {
    /// What can be done first, for a terminal of 80 columns.
    /// - Parameter known: a trip that can be followed at once.
    package static func lines(known: KnownTrip?) -> [String] {
        let newest = known.map {
            "  tripwatch follow         \(fitted(printable($0.shownTitle ?? "trip " + $0.name.trip), columns: 40)), known here"
        }
        return ["tripwatch follows a trip in the terminal: the car, its route, the arrival time.", ""]
            + ["  tripwatch demo           a car comes to you through an invented town"]
            + (newest.map { [$0] } ?? [])
            + [
                "  tripwatch follow TRIP    a trip of yours; tripwatch list has those known here",
                "  tripwatch serve          a Fleet Engine on this machine, to try things with", "",
                "All commands: tripwatch --help",
            ]
    }
}
