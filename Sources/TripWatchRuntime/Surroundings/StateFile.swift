package import FleetEngine
package import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
package import TripWatchWords

/// What is kept between runs in the program's state folder: how far trips were, and which trips are known.
///
/// The trips that are known are written by this program alone: a damaged list of them is set aside, and that is said.
package struct StateFile: Sendable {
    private static let progressName = "progress.json"
    private static let tripsName = "trips.json"

    private let folder: StateFolder
    private let tell: @Sendable (String) -> Void

    /// Nil without a home directory.
    /// - Parameter tell: told what was found damaged, in a sentence.
    init?(environment: [String: String], tell: @escaping @Sendable (String) -> Void) {
        guard let folder = StateFolder(environment: environment) else { return nil }
        (self.folder, self.tell) = (folder, tell)
    }

    /// The same for somebody else who is told too.
    func telling(_ other: @escaping @Sendable (String) -> Void) -> StateFile {
        StateFile(folder: folder) { [tell] text in
            tell(text)
            other(text)
        }
    }

    private init(folder: StateFolder, tell: @escaping @Sendable (String) -> Void) { (self.folder, self.tell) = (folder, tell) }

    /// How far each trip was when `status` looked at it.
    var progress: ProgressBook {
        folder.read(Self.progressName, maximumBytes: ProgressBook.maximumBytes).map(ProgressBook.init) ?? ProgressBook()
    }

    /// The trips that were booked or followed here.
    /// - Parameter isLookOnly: leaves a damaged file where it is, and says nothing of it.
    package func trips(now: Date, isLookOnly: Bool = false) -> KnownTrips {
        var trips = knownTrips
        if !trips.isWhole, !isLookOnly { folder.locked { _ = tripsToChange(now: now) } }
        trips.forget(before: now)
        return trips
    }

    private var knownTrips: KnownTrips {
        if let data = folder.read(Self.tripsName, maximumBytes: KnownTrips.maximumBytes) { return KnownTrips(data) }
        // What is there and cannot be read is nothing to write over.
        return folder.has(Self.tripsName) ? KnownTrips(Data()) : KnownTrips()
    }

    /// What is known, while no other program writes: of a damaged file what can be read of it, and the file itself under another name.
    private func tripsToChange(now: Date) -> KnownTrips {
        var trips = knownTrips
        if !trips.isWhole, let aside = folder.setAside(Self.tripsName) {
            let count = trips.trips.count
            let rest =
                count == 0 ? "no trip in it could be read" : "\(count) of its trips could be read, and stay\(count == 1 ? "s" : "") known"
            tell("\(printable(folder.file(Self.tripsName))) is damaged, and is now \(printable(aside)): \(rest).")
            if count > 0 { folder.write(trips.data, to: Self.tripsName) }
        }
        trips.forget(before: now)
        return trips
    }

    /// Notes how far a trip is.
    func note(_ mark: Progress.Mark?, for trip: TripName, now: Date) {
        folder.locked {
            let before = progress
            var book = before
            book.note(mark, for: trip, now: now)
            // A bar that asks every few seconds is to wait for no disk; what is lost with the power is a percentage.
            if book != before { folder.write(book.data, to: Self.progressName, isSynchronized: false) }
        }
    }

    /// Notes trips that were booked, or are followed.
    package func note(_ noted: [KnownTrip], now: Date) {
        folder.locked {
            var trips = tripsToChange(now: now)
            trips.note(noted, now: now)
            folder.write(trips.data, to: Self.tripsName)
        }
    }

    /// Notes how a trip stands that is known already; of others nothing is kept, and no news is not written.
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

    /// Leaves a trip out of those that are known.
    package func forget(_ name: TripName, now: Date) {
        folder.locked {
            var trips = tripsToChange(now: now)
            trips.forget(name)
            folder.write(trips.data, to: Self.tripsName)
        }
    }
}

extension Surroundings {
    /// Nil without a home directory.
    package var stateFile: StateFile? { StateFile(environment: environment) { [streams] in streams.say("tripwatch: \($0)") } }
}
