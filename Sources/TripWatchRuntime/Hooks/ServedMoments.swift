import FleetEngine
import FoundationEssentials
import JourneySharing
import LocalFleetEngine
import TripWatchApp

/// Tells hooks the moments of all trips of an engine, from their next change on.
@MainActor
final class ServedMoments {
    private enum News: Sendable {
        case trip(TripName)
        case vehicle(VehicleName)
        case gone(TripName)
    }

    private let engine: LocalFleetEngine
    private let feed: HookFeed
    private var journeys: [TripName: JourneyTracker] = [:]
    /// By vehicle: the trips that it serves.
    private var served: [VehicleName: Set<TripName>] = [:]
    private var changed: Set<TripName> = []
    /// Whether a look is under way, or waits for its second.
    private var looking: Task<Void, Never>?

    /// - Throws: `Failure` for a key that cannot be read.
    init(_ engine: LocalFleetEngine, _ settings: HookSettings, in surroundings: Surroundings) throws(Failure) {
        self.engine = engine
        feed = try HookFeed(settings, time: engine.clock, in: surroundings)
    }

    /// Until the task is cancelled. Of the changes of a second the last counts.
    func run() async {
        let (news, input) = AsyncStream.makeStream(of: News.self)
        let observation = await engine.observe { changes in
            for change in changes {
                switch change {
                case .tripPut(let record): input.yield(.trip(record.name))
                case .tripRemoved(let name): input.yield(.gone(name))
                case .vehiclePut(let record): input.yield(.vehicle(record.name))
                case .vehicleRemoved, .bookingQueued, .bookingTaken: break
                }
            }
        }
        for await one in news {
            switch one {
            case .trip(let name): changed.insert(name)
            case .vehicle(let name): changed.formUnion(served[name] ?? [])
            case .gone(let name): forget(name)
            }
            if !changed.isEmpty, looking == nil { looking = Task { await lookLater() } }
        }
        looking?.cancel()
        await looking?.value
        await engine.removeObserver(observation.id)
        await look()
    }

    func finish() async { await feed.finish() }

    /// Looks a second later, and again as long as something changes.
    private func lookLater() async {
        while !changed.isEmpty, (try? await PauseClock.sleep(for: .seconds(1), isolation: #isolation)) != nil { await look() }
        looking = nil
    }

    private func look() async {
        let names = changed
        changed = []
        for name in names {
            guard let trip = await engine.trip(name) else { continue }
            var journey = journeys[name] ?? JourneyTracker(tripName: name)
            let now = engine.clock.now()
            let fields = TripPropertyFields(from: journey.trip, to: trip)
            if let before = vehicle(of: journey.trip) { served[before]?.remove(name) }
            journey.observe(TripUpdate(name: name, time: now, kind: .trip(trip, changed: fields)))
            feed.observe(journey, at: now)
            if let vehicle = vehicle(of: trip), !trip.status.isFinal { served[vehicle, default: []].insert(name) }
            journeys[name] = journey
        }
    }

    private func vehicle(of trip: Trip?) -> VehicleName? {
        guard let trip, let id = trip.vehicleID else { return nil }
        return try? VehicleName(provider: trip.name.provider, vehicle: id)
    }

    private func forget(_ name: TripName) {
        if let vehicle = vehicle(of: journeys[name]?.trip) { served[vehicle]?.remove(name) }
        journeys[name] = nil
        feed.forget(name)
    }
}
