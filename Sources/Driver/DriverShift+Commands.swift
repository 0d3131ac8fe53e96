import FleetEngine
import FoundationEssentials
import Geo
import Navigation

/// Commands to the driver. An automatic driver carries out the same commands on its own, each as soon as it is due.
extension DriverShift {
    /// Carries out the commands that were sent since the last call.
    func obey() async {
        for command in driver.controls?.next() ?? [] {
            switch command {
            case .accept(let name): if isOffered(name) { accepted.insert(name) }
            case .decline(let name):
                guard isOffered(name) else { continue }
                coming[name] = nil
                duties.over.insert(name)
            case .arrived: if case .driving = phase { told = command }
            case .goOn: if case .standing = phase { told = command }
            case .setOnline(let isWanted): await setOnline(isWanted)
            }
        }
        // While the driver is offline, the vehicle is reported only as long as a trip is under way.
        if !isOnline, open.isEmpty { await stopReporting() }
    }

    private func setOnline(_ isWanted: Bool) async {
        guard isWanted != isOnline else { return }
        isOnline = isWanted
        guard isWanted else {
            if !open.isEmpty { await reporter.update(.offline) }
            return
        }
        if phase == .waiting { phaseSince = time.now() }
        await startReporting()
    }

    /// Whether the driver must carry out a command now. If so, the command is cleared, so that it is carried out only once.
    func isTold(_ command: DriverCommand, isDue: Bool) -> Bool {
        if settings.isAutomatic, isDue { told = command }
        guard told == command else { return false }
        told = nil
        return true
    }

    private func isOffered(_ name: TripName) -> Bool { coming[name] != nil && !accepted.contains(name) }

    /// Separates the vehicle's new trips into accepted and offered trips. An automatic driver accepts all of them. For any other
    /// driver, only a trip with the status NEW is an offer.
    func sortOffers() async {
        let withdrawn = accepted.union(coming.keys).subtracting(duties.current)
        for name in withdrawn.sorted(by: { $0.trip < $1.trip }) { driver.onEvent(.withdrawn(name)) }
        let new = duties.current.filter { open[$0] == nil && !duties.over.contains($0) }
        accepted.formIntersection(duties.current)
        coming = coming.filter { new.contains($0.key) }
        if settings.isAutomatic { accepted.formUnion(new) }
        // An automatic driver accepts its coming trips without reading them. They are read only for display.
        guard !settings.isAutomatic || driver.onState != nil else { return }
        await readComing(new.filter { !isKnown($0) })
    }

    /// Whether a coming trip has been read, and its stops have not changed since then. A coming trip is one that has not begun.
    private func isKnown(_ name: TripName) -> Bool {
        guard let stops = coming[name]?.remainingWaypoints else { return false }
        return stops.elementsEqual(duties.stops(of: name)) { $0.type == $1.type && $0.coordinate == $1.coordinate }
    }

    /// Reads trips that have not begun. After a failure that would also affect other trips, reading pauses, because the driver cannot act
    /// while it waits for an answer.
    private func readComing(_ names: [TripName]) async {
        for name in names where time.now() >= comingHeldUntil {
            do throws(FleetEngineError) {
                var trip = try await driver.client.getTrip(GetTripRequest(name: name))
                comingPace.reset()
                trip.remainingWaypoints = duties.stops(of: name)
                coming[name] = trip
                if trip.status != .new { accepted.insert(name) }
            } catch {
                guard error.concernsOtherCalls else { continue }
                let wait = comingPace.delaySeconds(after: error, intervalSeconds: settings.pollInterval, random: &random)
                comingHeldUntil = time.now().addingTimeInterval(wait)
            }
        }
    }

    /// Passes the current state of the shift to `onState`.
    func publish() {
        guard let onState = driver.onState else { return }
        var state = DriverShiftState(since: phaseSince, navigation: navigator.state)
        state.phase = phase
        if case .driving(let stop, _) = phase { state.phase = .driving(stop, isThere: hasArrived) }
        state.isOnline = isOnline
        state.trip = atHand.flatMap { open[$0] }
        // After a failed read, `duties` has no trips for a while, but `open` and `coming` still have them.
        let known = duties.byStops + duties.current + Set(open.keys).union(coming.keys).sorted { $0.trip < $1.trip }
        var seen: Set<TripName> = []
        let names = known.filter { seen.insert($0).inserted }
        let unserved = unserved(of: names)
        let hidden = duties.over.union(coming.keys.filter(isOffered)).union(unserved).map(\.trip)
        state.stops = duties.stops.filter { !hidden.contains($0.tripID) }
        for name in names where name != state.trip?.name && !unserved.contains(name) {
            guard var trip = open[name] ?? coming[name] else { continue }
            // The trip's own stops are replaced, because their distances are as old as the last read of the trip.
            trip.remainingWaypoints = duties.stops(through: name)
            if isOffered(name) { state.offers.append(trip) } else { state.later.append(trip) }
        }
        state.completed = driven.count { $0.outcome == .completed }
        state.reports = reports.state
        onState(state)
    }

    /// Returns the trips that an automatic driver will not serve, because its shift ends after a number of trips.
    private func unserved(of names: [TripName]) -> Set<TripName> {
        guard settings.isAutomatic, case .assigned(let limit?) = driver.assignment else { return [] }
        let notBegun = names.filter { open[$0] == nil && !duties.over.contains($0) }
        return Set(notBegun.dropFirst(max(0, limit - driven.count - open.count)))
    }

    func enter(_ phase: DriverShiftState.Phase) {
        told = nil
        guard phase != self.phase else { return }
        self.phase = phase
        phaseSince = time.now()
        publish()
    }
}

extension TripStop {
    /// Creates the stop at which the trip's vehicle is waiting; nil if the vehicle is not at a stop.
    init?(standing trip: Trip) {
        switch trip.status {
        case .arrivedAtPickup:
            guard let place = trip.pickupPoint else { return nil }
            self.init(type: .pickup, coordinate: place)
        case .arrivedAtIntermediateDestination:
            let index = trip.intermediateDestinationIndex
            guard trip.intermediateDestinations.indices.contains(index) else { return nil }
            self.init(type: .intermediate, coordinate: trip.intermediateDestinations[index])
        default: return nil
        }
    }
}
