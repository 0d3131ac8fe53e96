package import FleetEngine
package import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
package import TripWatchWords

/// The state that is kept between runs in the program's state folder: the progress of trips, and the list of known trips.
///
/// Only this program writes the list of known trips. A damaged list is renamed and reported.
package struct StateFile: Sendable {
    private static let progressName = "progress.json"
    private static let tripsName = "trips.json"

    private let folder: StateFolder
    private let tell: @Sendable (String) -> Void

    /// Nil if the environment specifies neither a state folder nor a home directory.
    /// - Parameter tell: receives a sentence about a damaged file.
    init?(environment: [String: String], tell: @escaping @Sendable (String) -> Void) {
        guard let folder = StateFolder(environment: environment) else { return nil }
        (self.folder, self.tell) = (folder, tell)
    }

    /// Returns a copy that also sends its messages to another receiver.
    func telling(_ other: @escaping @Sendable (String) -> Void) -> StateFile {
        StateFile(folder: folder) { [tell] text in
            tell(text)
            other(text)
        }
    }

    private init(folder: StateFolder, tell: @escaping @Sendable (String) -> Void) { (self.folder, self.tell) = (folder, tell) }

    /// The progress of each trip at the last run of `status`.
    var progress: ProgressBook {
        folder.read(Self.progressName, maximumBytes: ProgressBook.maximumBytes).map(ProgressBook.init) ?? ProgressBook()
    }

    /// Returns the trips that were booked or followed on this machine.
    /// - Parameter isLookOnly: whether the list is only read. If so, a damaged file stays in place and is not reported.
    package func trips(now: Date, isLookOnly: Bool = false) -> KnownTrips {
        var trips = knownTrips
        if !trips.isWhole, !isLookOnly { folder.locked { _ = tripsToChange(now: now) } }
        trips.forget(before: now)
        return trips
    }

    /// Returns the arrivals that programs on this machine show for the trips that they follow.
    package func arrivalsShown(now: Date) -> [TripName: Date] {
        let shown = knownTrips.trips.compactMap { trip in trip.arrivalShown(at: now).map { (trip.name, $0) } }
        return Dictionary(shown) { first, _ in first }
    }

    private var knownTrips: KnownTrips {
        if let data = folder.read(Self.tripsName, maximumBytes: KnownTrips.maximumBytes) { return KnownTrips(data) }
        // A file that exists but cannot be read counts as damaged: it is renamed before a new list is written.
        return folder.has(Self.tripsName) ? KnownTrips(Data()) : KnownTrips()
    }

    /// Returns the known trips, so that they can be changed. The caller holds the folder's lock. A damaged file is renamed, and its
    /// readable part is used.
    private func tripsToChange(now: Date) -> KnownTrips {
        var trips = knownTrips
        if !trips.isWhole, let aside = folder.setAside(Self.tripsName) {
            let count = trips.trips.count + trips.shipments.count
            let rest =
                count == 0 ? "no trip could be read" : "\(count) of its trips could be read and \(count == 1 ? "was" : "were") kept"
            tell("\(printable(folder.file(Self.tripsName))) is damaged and was renamed to \(printable(aside)): \(rest).")
            if count > 0 { folder.write(trips.data, to: Self.tripsName) }
        }
        trips.forget(before: now)
        return trips
    }

    /// Records the progress of a trip.
    func note(_ mark: Progress.Mark?, for trip: TripName, now: Date) {
        folder.locked {
            let before = progress
            var book = before
            book.note(mark, for: trip, now: now)
            // The write is not synchronized, because a status bar writes the file every few seconds. A power failure loses only the newest
            // progress.
            if book != before { folder.write(book.data, to: Self.progressName, isSynchronized: false) }
        }
    }

    /// The path of the list of known trips.
    package var listPath: String { folder.file(Self.tripsName) }

    /// Changes the list of known trips.
    /// - Returns: whether the list was written.
    private func change(now: Date, _ body: (inout KnownTrips) -> Void) -> Bool {
        var isWritten = false
        folder.locked {
            var trips = tripsToChange(now: now)
            body(&trips)
            isWritten = folder.write(trips.data, to: Self.tripsName)
        }
        return isWritten
    }

    /// Records trips that were booked or are followed.
    /// - Returns: whether the list was written.
    @discardableResult
    package func note(_ noted: [KnownTrip], now: Date) -> Bool { change(now: now) { $0.note(noted, now: now) } }

    /// Records the state of a trip that is in the list. Other trips are ignored. An unchanged state is written again only if the last
    /// record is more than a minute old.
    package func update(_ name: TripName, now: Date, _ change: (inout KnownTrip) -> Void) {
        folder.locked {
            var trips = tripsToChange(now: now)
            guard let before = trips[name] else { return }
            var trip = before
            change(&trip)
            guard !trip.isAsJustSeen(before) else { return }
            trips.note([trip], now: now)
            folder.write(trips.data, to: Self.tripsName)
        }
    }

    /// Records shipments that are followed.
    func note(_ noted: [KnownShipment], now: Date) { _ = change(now: now) { $0.note(noted, now: now) } }

    /// Records the state of a shipment that is in the list. Other shipments are ignored. An unchanged state is written only if the recorded
    /// state is more than a minute old.
    func update(_ name: TaskTrackingName, now: Date, _ change: (inout KnownShipment) -> Void) {
        folder.locked {
            var trips = tripsToChange(now: now)
            guard let before = trips[name] else { return }
            var shipment = before
            change(&shipment)
            guard !shipment.isAsJustSeen(before) else { return }
            trips.note([shipment], now: now)
            folder.write(trips.data, to: Self.tripsName)
        }
    }

    /// Removes a shipment from the list of known trips.
    /// - Returns: whether the list was written.
    func forget(_ name: TaskTrackingName, now: Date) -> Bool { change(now: now) { $0.forget(name) } }

    /// Removes a trip from the list of known trips.
    /// - Returns: whether the list was written.
    package func forget(_ name: TripName, now: Date) -> Bool { change(now: now) { $0.forget(name) } }
}

extension Surroundings {
    /// The files with the state that is kept between runs; nil without a home directory.
    package var stateFile: StateFile? { StateFile(environment: environment) { [streams] in streams.say("tripwatch: \($0)") } }
}
