import FleetEngine
import FoundationEssentials
package import ProgramSurroundings
import TerminalCanvas
package import TripWatchWords

/// Prints the trips and shipments that were booked or followed on this machine.
package struct ListRun: Sendable {
    package var isJSON: Bool
    /// Whether to list recorded rides instead of trips.
    package var showsRides = false
    /// The trip or shipment to remove from the list; nil to remove none.
    package var forgotten: String?

    package init(isJSON: Bool) { self.isJSON = isJSON }

    package func perform(in surroundings: Surroundings) throws -> ProgramEnd {
        let now = surroundings.clock(1).now()
        if let forgotten { return try forget(forgotten, now: now, in: surroundings) }
        if showsRides { return tellRides(now: now, in: surroundings) }
        let trips = surroundings.stateFile?.trips(now: now) ?? KnownTrips()
        if isJSON {
            surroundings.streams.print(trips.jsonLine)
            return .success
        }
        if trips.isEmpty {
            surroundings.streams.note(
                "tripwatch: the list is empty. It shows the trips and shipments booked or followed on this machine in the last 7 days.")
        }
        let columns = surroundings.streams.outputSize?.columns
        let lines = trips.lines(now: now, columns: columns, secondsFromGMT: LocalZone.secondsFromGMT) {
            Timestamps.clock($0, now: now, secondsFromGMT: LocalZone.secondsFromGMT)
        }
        for line in lines { surroundings.streams.print(line) }
        return .success
    }

    private func tellRides(now: Date, in surroundings: Surroundings) -> ProgramEnd {
        let rides = KeptRides(in: surroundings)
        if isJSON {
            surroundings.streams.print(rides.jsonLine)
            return .success
        }
        if rides.rides.isEmpty { surroundings.streams.note("tripwatch: no rides are saved on this machine for replay.") }
        let known = surroundings.stateFile?.trips(now: now, isLookOnly: true) ?? KnownTrips()
        for line in rides.lines(known, now: now) { surroundings.streams.print(line) }
        return .success
    }

    /// Removes a trip or shipment from the list.
    /// - Throws: `Failure` if the text matches no known trip or shipment, or more than one, or if the list could not be changed.
    private func forget(_ text: String, now: Date, in surroundings: Surroundings) throws(Failure) -> ProgramEnd {
        let state = surroundings.stateFile
        let known = state?.trips(now: now) ?? KnownTrips()
        let trips = known.trips(meantBy: text)
        let shipments = known.shipments(meantBy: text)
        guard let file = state, trips.count + shipments.count == 1 else {
            let count = trips.isEmpty && shipments.isEmpty ? "no trip or shipment" : "more than one trip or shipment"
            throw Failure(
                message: "\(count) known on this machine matches '\(printable(text))': give a full name, which 'tripwatch list' shows.",
                exitCode: ExitCodes.failed)
        }
        let isForgotten =
            trips.allSatisfy { file.forget($0.name, now: now) } && shipments.allSatisfy { file.forget($0.name, now: now) }
        guard isForgotten else {
            throw Failure(
                message: "'\(printable(text))' is still in the list: \(printable(file.listPath)) could not be changed.",
                exitCode: ExitCodes.failed)
        }
        return .success
    }
}

/// The text that the program prints if it is run without arguments.
package enum FirstWords {
    /// Returns the first steps for a new user, for a terminal of 80 columns.
    /// - Parameter known: an unfinished trip or shipment that the user can follow; nil if all have ended.
    package static func lines(known: KnownTrips.Subject?) -> [String] {
        let newest = known.map { "  tripwatch follow         your newest: \(fitted(printable($0.title), columns: 39))" }
        return ["tripwatch follows a trip in the terminal: the car, its route and its arrival.", ""]
            + ["  tripwatch demo           a car comes to you through an invented town"]
            + (newest.map { [$0] } ?? [])
            + [
                "  tripwatch follow TRIP    one of your trips (see 'tripwatch list')",
                "  tripwatch serve          a Fleet Engine on this machine, for tests", "",
                "All commands: tripwatch --help",
            ]
    }
}
