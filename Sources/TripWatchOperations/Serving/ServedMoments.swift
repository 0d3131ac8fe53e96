import FleetEngine
import FleetEngineCore
import FoundationEssentials
import JourneySharing
import LocalFleetEngine
import ProgramSurroundings
import TripWatchRuntime

/// Sends the events of all trips of a server to hooks. Trips that exist at the start are ignored until they change. Each status
/// is sent, even a brief one. Other changes are combined and sent once a second.
@MainActor
final class ServedMoments {
    /// Changes in the engine that happened at the same time.
    private struct News: Sendable {
        let changes: [Change]
        let time: Date
    }

    private let engine: LocalFleetEngine
    private let feed: HookFeed
    private var journeys: [TripName: JourneyTracker] = [:]
    /// The records of unfinished trips that have changed.
    private var records: [TripName: TripRecord] = [:]
    private var vehicles: [VehicleName: VehicleRecord] = [:]
    /// The trips that each vehicle serves.
    private var served: [VehicleName: Set<TripName>] = [:]
    private var changed: Set<TripName> = []
    /// The task that checks changed trips one second after a change; nil if no trip has changed.
    private var looking: Task<Void, Never>?

    /// Creates the sender of events.
    /// - Throws: `Failure` if a key file of the hooks cannot be read.
    init(_ engine: LocalFleetEngine, _ settings: HookSettings, in surroundings: Surroundings) throws(Failure) {
        self.engine = engine
        feed = try HookFeed(settings, time: engine.clock, in: surroundings) { [metrics = engine.metrics] in metrics.noteHookLoss($0) }
    }

    /// Runs until the task is cancelled.
    func run() async {
        let (news, input) = AsyncStream.makeStream(of: News.self)
        let observer = await observe { input.yield($0) }
        for await one in news {
            apply(one)
            if !changed.isEmpty, looking == nil { looking = Task { await lookLater() } }
        }
        looking?.cancel()
        await looking?.value
        await engine.removeObserver(observer)
        look()
    }

    func finish() async { await feed.finish() }

    /// Starts to observe the server. Stores the server's current vehicles, but not its current trips.
    private func observe(_ tell: @escaping @Sendable (News) -> Void) async -> UInt64 {
        let (state, observer) = await engine.observe { [clock = engine.clock] in tell(News(changes: $0, time: clock.now())) }
        vehicles = state.vehicles
        return observer
    }

    private func apply(_ news: News) {
        // The trips with a new status that have not been checked yet. If the status of such a trip changes again, the trip is checked
        // before that change is stored. The remaining trips are checked at the end.
        var turned: [TripName] = []
        for change in news.changes {
            switch change {
            case .tripPut(let record):
                let name = record.name
                if let index = turned.firstIndex(of: name), records[name]?.status != record.status {
                    turned.remove(at: index)
                    look(at: name, now: news.time)
                }
                records[name] = record
                if journeys[name]?.trip?.status != record.status, !turned.contains(name) { turned.append(name) }
                changed.insert(name)
            case .tripRemoved(let name):
                turned.removeAll { $0 == name }
                look(at: name, now: news.time)
                forget(name)
            case .vehiclePut(let record):
                vehicles[record.name] = record
                changed.formUnion(served[record.name] ?? [])
            case .vehicleRemoved(let name): vehicles[name] = nil
            case .bookingQueued, .bookingTaken, .delivery: break
            }
        }
        for name in turned { look(at: name, now: news.time) }
    }

    /// Checks the changed trips after one second. Repeats this while there are changes.
    private func lookLater() async {
        while !changed.isEmpty, (try? await Task.sleep(for: .seconds(1))) != nil { look() }
        looking = nil
    }

    private func look() {
        for name in changed { look(at: name, now: engine.clock.now()) }
    }

    private func look(at name: TripName, now: Date) {
        guard changed.remove(name) != nil, let record = records[name] else { return }
        let trip = record.trip(of: vehicles, now: now)
        var journey = journeys[name] ?? JourneyTracker(tripName: name)
        let fields = TripPropertyFields(from: journey.trip, to: trip)
        if let before = vehicle(of: journey.trip) { served[before]?.remove(name) }
        journey.observe(TripUpdate(name: name, time: now, kind: .trip(trip, changed: fields)))
        feed.observe(journey, at: now)
        if trip.status.isFinal { records[name] = nil } else if let vehicle = vehicle(of: trip) { served[vehicle, default: []].insert(name) }
        journeys[name] = journey
    }

    private func vehicle(of trip: Trip?) -> VehicleName? {
        guard let trip, let id = trip.vehicleID else { return nil }
        return try? VehicleName(provider: trip.name.provider, vehicle: id)
    }

    private func forget(_ name: TripName) {
        if let vehicle = vehicle(of: journeys[name]?.trip) { served[vehicle]?.remove(name) }
        (journeys[name], records[name]) = (nil, nil)
        feed.forget(name)
    }
}
