package import FleetEngine
package import FleetEngineGRPC
import FoundationEssentials
package import JourneySharing
package import ProgramSurroundings
package import TripWatchWords

extension KnownTrip.Server {
    /// Creates the description of a server. Makes paths absolute, so that the description is valid in any folder.
    /// - Parameter providerURL: the address of the provider's backend; nil if none was given.
    package init(_ endpoint: ServerEndpoint, providerURL: String?, in surroundings: Surroundings) {
        let text = endpoint.description
        switch endpoint.security {
        case .plaintext: self.init(endpoint: text, isPlaintext: true, caFile: nil, providerURL: providerURL)
        case .tls(let caFile):
            self.init(endpoint: text, isPlaintext: false, caFile: caFile.map(surroundings.absolute), providerURL: providerURL)
        }
    }
}

/// Records the followed trips and their state, for `list` and a later `follow`.
///
/// A new status or arrival is on disk within a second, because other programs show it too. The time of the last answer may be
/// written up to 90 s late, because each write takes as much processor time as 30 s of following.
@MainActor
package final class TripKeeper {
    private static let soonSeconds = 1.0
    private static let atLeisureSeconds = 90.0

    private var file: StateFile
    private let server: KnownTrip.Server
    private let time: any TimeSource
    /// The title that the user gave to the trip.
    private let title: String?
    private var known: [TripName: KnownTrip] = [:]
    private var written: [TripName: KnownTrip] = [:]
    /// The names of the trips whose changes are not written yet.
    private var changed: Set<TripName> = []
    private lazy var writer = DelayedWriter { [weak self] in await self?.write() }

    package init(file: StateFile, server: KnownTrip.Server, title: String?, time: any TimeSource) {
        self.file = file
        self.server = server
        self.title = title
        self.time = time
    }

    /// Adds a receiver for the message that the list is damaged.
    func onTrouble(_ tell: @escaping @Sendable (String) -> Void) { file = file.telling(tell) }

    /// Records the current state of a trip.
    /// - Parameter title: the title on the screen; nil for the trip's own title.
    package func note(_ journey: JourneyTracker, title shownTitle: String? = nil) {
        guard let trip = journey.trip else { return }
        let now = time.now()
        let before = known[journey.tripName]
        var after = before ?? KnownTrip(name: journey.tripName, server: server, openedAt: now)
        let names = TripNames(journey.tripName, trip: trip, title: title, kind: journey.kind)
        after.note(journey, title: shownTitle ?? names.ownTitle, at: now)
        known[journey.tripName] = after
        changed.insert(journey.tripName)
        let isNews =
            before?.status != after.status || before?.hasCar != after.hasCar || before?.title != after.title
            || !KnownTrip.isSameMinute(after.arrival, written[after.name]?.arrival)
        writer.write(within: isNews ? Self.soonSeconds : Self.atLeisureSeconds)
    }

    private func write() async {
        let trips = changed.compactMap { known[$0] }
        guard !trips.isEmpty else { return }
        changed = []
        for trip in trips { written[trip.name] = trip }
        let (file, now) = (file, time.now())
        _ = await Task.detached { file.note(trips, now: now) }.value
    }

    /// Writes all changes that are not written yet.
    package func close() async { await writer.close() }
}
