import Driver
import FleetEngine
import FoundationEssentials
import Navigation
import TripWatchWords

extension DetailList {
    /// Returns facts about the driver's connection, as a short list and as a full list.
    static func driver(_ drive: DrivePage, _ state: AppState) -> (short: [(String, String)], all: [(String, String)]) {
        let last = drive.shift.reports.takenAt.map { ", last \(TripWords.age(state.now.timeIntervalSince($0))) ago" } ?? ""
        let short =
            [
                ("car", drive.options.vehicle.vehicle), ("server", server(state)),
                ("reports", "every \(TripWords.span(drive.options.reportSeconds))\(last)"),
            ] + look(state)
        var all = short
        all[0] = ("car", drive.options.vehicle.description)
        if !drive.options.source.isEmpty { all.append(("source", drive.options.source)) }
        if let trip = drive.shift.trip { all += [("trip", trip.name.description), ("status", trip.status.name)] }
        if let accuracy = drive.shift.navigation.location?.accuracyMeters { all.append(("accuracy", state.distance(accuracy))) }
        if let error = drive.shift.reports.refusal {
            all.append(("error", "\(error.code.name)\(number(error)), origin: \(words(error.origin))"))
        }
        return (short, all)
    }
}

extension DrivePage {
    /// The reason why the server refuses reports; nil while it accepts them.
    var failureWords: FailureWords? { shift.reports.refusal.map(FailureWords.forDriver) }
}
