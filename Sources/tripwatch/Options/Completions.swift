import ArgumentParser
import FleetEngine
import TripWatchApp
import TripWatchRuntime

/// What a shell offers for a word that is not finished.
extension CompletionKind {
    /// Trips that were booked or followed here.
    static let knownTrips = CompletionKind.custom { _, _, _ in
        let surroundings = Surroundings.process
        return surroundings.stateFile?.trips(now: surroundings.clock(1).now()).trips.map(\.name.description) ?? []
    }

    /// Themes of the program and of the user.
    static let themes = CompletionKind.custom { _, _, _ in ThemesRun(in: .process).names }
}
