import BoundedJSON
package import FleetEngine
package import FoundationEssentials
import Geo
import TripWatchWords

/// A trip that is rebuilt from the events of a link. ``SharedLink`` makes these events.
package struct LinkedTrip: Sendable {
    /// Id of the last event received.
    package private(set) var lastEventID: String?
    /// Whether the link has announced its end.
    package private(set) var isOver = false
    private var reader = EventTextReader()
    private var name: TripName?
    private var status: TripStatus?
    private var vehicleID: String?
    /// Whether the link has named a vehicle. If so, an event without a vehicle means that the vehicle was taken off the trip.
    private var namesVehicles = false
    private var location: VehicleLocation?
    private var arrival: (waypoint: WaypointType, time: Date?, meters: Double?)?
    private var route = RouteLine()
    private var stopsBefore = 0
    /// The type of the vehicle's next stop, if that stop is another rider's; unknown if the link does not tell it.
    private var nextType = WaypointType.unknown
    private var stops: [OwnStop] = []
    /// Whether the link tells the places of all stops. Links of earlier versions tell only those ahead, in `waypoints` events.
    private var hasPlaces = false
    /// Coordinates of the trip's stops, one property for each type. They stay set after the vehicle has passed a stop.
    private var pickup: Coordinate?
    private var dropoff: Coordinate?
    private var betweens: [Coordinate] = []
    /// The number of stops between pickup and drop-off that the vehicle has passed.
    private var stopsPassed = 0
    private var pickedUpAt: Date?
    private var droppedOffAt: Date?
    private var attributes: [String: String] = [:]
    /// The names of all stops between pickup and drop-off, in order; empty texts for stops without a name.
    private var stopNames: [String] = []
    /// Whether the program that serves the link is currently getting no data from its server.
    package private(set) var isFailing = false
    /// The origin of the failure that ``isFailing`` reports: `server` if the server answered the calls with errors, `local` if it did not
    /// answer.
    private var origin = FleetEngineError.Origin.server
    /// The other machine's clock minus this machine's clock, in seconds; nil until it is known.
    private var clockAhead: Double?

    package init() {}

    /// The trip's name; nil until the link's current state has arrived completely, with a status or a failure. Only the last event of that
    /// state has an id.
    package var knownName: TripName? { lastEventID == nil || status == nil && !isFailing ? nil : name }

    /// Records the other machine's clock from a response. Responses round it down to whole seconds, so half a second is added.
    package mutating func note(serverTime: Date, at now: Date) { clockAhead = serverTime.timeIntervalSince(now) + 0.5 }

    /// Discards the rest of the previous event stream.
    package mutating func beginStream() { reader = EventTextReader() }

    /// Applies a line of the event stream, without its line end.
    /// - Returns: whether the line ended an event.
    package mutating func apply(_ line: String, at now: Date) -> Bool {
        guard let event = reader.add(line) else { return false }
        lastEventID = event.id ?? lastEventID
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let told = try? decoder.decodeBounded(LinkEventBody.self, from: Data(event.data.utf8)) else { return false }
        apply(told, at: now)
        return true
    }

    /// Returns the trip, from the events so far.
    /// - Throws: `notFound` if the link has ended, `unavailable` while the link has no trip or reports a failure.
    package func trip(at now: Date) throws(FleetEngineError) -> Trip {
        if isOver { throw FleetEngineError(code: .notFound, message: LinkPage.ended, origin: .local) }
        guard !isFailing, let name, let status else { throw FleetEngineError(code: .unavailable, message: "", origin: origin) }
        var trip = Trip(name: name, vehicleID: vehicle(status), status: status)
        trip.pickupPoint = pickup
        trip.dropoffPoint = dropoff
        trip.intermediateDestinations = betweens
        trip.intermediateDestinationIndex = stopsPassed
        trip.lastLocation = location
        trip.activeRoute = route
        trip.attributes = attributes
        trip.attributes["stop_names"] = stopNamesText
        trip.remainingWaypoints = waypoints(name)
        trip.dropoffTime = droppedOffAt ?? stops.last { $0.type == .dropoff }?.eta
        trip.pickupTime = pickedUpAt ?? stops.first { $0.type == .pickup }?.eta
        if let pickup, let pickedUpAt { trip.actualPickup = StopLocation(coordinate: pickup, time: pickedUpAt) }
        guard let arrival else { return trip }
        // For an order, the arrival time is the time at the drop-off, even if the courier still has to go to the shop.
        let isOfNext = arrival.waypoint != .dropoff || stops.first.map { $0.type == .dropoff } ?? true
        trip.remainingDistanceMeters = isOfNext ? arrival.meters : metersToShop(arrival.meters)
        trip.etaToNextWaypoint = isOfNext ? arrival.time : stops.first?.eta
        trip.remainingTimeToNextWaypointSeconds = trip.etaToNextWaypoint.map { $0.timeIntervalSince(now) - (clockAhead ?? 0) }
        if arrival.waypoint == .pickup { trip.pickupTime = pickedUpAt ?? arrival.time }
        if arrival.waypoint == .dropoff { trip.dropoffTime = droppedOffAt ?? arrival.time }
        return trip
    }

    /// The names of the known stops between pickup and drop-off, in the form of the `stop_names` attribute. If the viewer came late,
    /// stops that the vehicle had already passed are unknown. Their names are left out.
    private var stopNamesText: String? {
        // Names and stops are matched from the end, because the first stops may be unknown.
        let told = stopNames.suffix(betweens.count)
        let names = Array(repeating: "", count: betweens.count - told.count) + told
        guard names.contains(where: { !$0.isEmpty }), let data = try? JSONEncoder().encode(names) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the distance to an order's next stop, in metres. The link reports the distance to the drop-off with each change, but
    /// the distances to other stops only now and then. The distance between the stops stays the same.
    private func metersToShop(_ toDropoff: Double?) -> Double? {
        guard let toDropoff, let last = stops.last, last.type == .dropoff, let far = last.distanceMeters,
            let near = stops.first?.distanceMeters
        else { return stops.first?.distanceMeters }
        return max(0, toDropoff - (far - near))
    }

    /// Returns the vehicle's id; empty if a vehicle is assigned but the link hides its id.
    private func vehicle(_ status: TripStatus) -> String? {
        vehicleID ?? (!namesVehicles && (location != nil || status != .new && !status.isFinal) ? "" : nil)
    }

    /// Returns the stops ahead. If other riders' stops come first, their number is known, and sometimes their types. Each gets the
    /// coordinate of the trip's own stop after it, because its place is unknown. The distances up to the rider's first stop are then 0,
    /// because the trip's remaining distance covers this part.
    private func waypoints(_ name: TripName) -> [TripWaypoint] {
        guard let first = stops.first, let last = stops.last else { return [] }
        var before = first.distanceMeters
        var waypoints = others(stopsBefore, next: nextType, before: first)
        for (index, stop) in stops.enumerated() {
            if index > 0, index == stops.count - 1 { waypoints += others(last.deliveriesBefore ?? 0, before: last) }
            let since = stop.distanceMeters.flatMap { far in before.map { max(0, far - $0) } }
            let meters = index > 0 ? since : stopsBefore == 0 ? stop.distanceMeters : 0
            before = stop.distanceMeters
            waypoints.append(
                TripWaypoint(coordinate: stop.coordinate, tripID: name.trip, type: stop.type, distanceMeters: meters, eta: stop.eta))
        }
        return waypoints
    }

    /// Returns other riders' stops before one of the trip's own stops. The first `deliveriesBefore` of them are drop-offs (the number is
    /// known only for an order). Without such drop-offs, the first of the returned stops has the type `next`. All other returned stops have
    /// no type.
    private func others(_ count: Int, next: WaypointType = .unknown, before stop: OwnStop) -> [TripWaypoint] {
        (0..<count).map { index in
            let type = index < (stop.deliveriesBefore ?? 0) ? WaypointType.dropoff : index == 0 ? next : .unknown
            return TripWaypoint(coordinate: stop.coordinate, tripID: "other", type: type, distanceMeters: 0)
        }
    }
}

// MARK: - Applying events

extension LinkedTrip {
    private mutating func apply(_ told: LinkEventBody, at now: Date) {
        // A link shares one trip, so an event of another trip is ignored.
        if let name, let trip = told.trip, trip != name.trip { return }
        if name == nil { name = told.trip.flatMap { try? TripName(provider: "link", trip: $0) } }
        let toldTime = told.t.flatMap(Date.read)
        if let toldTime { clockAhead = max(clockAhead ?? -.infinity, toldTime.timeIntervalSince(now)) }
        let moment = toldTime ?? now.addingTimeInterval(clockAhead ?? 0)
        switch LinkEventKind(rawValue: told.event) {
        case .trip:
            setNames(told)
            setPlaces(told, at: moment)
            (pickedUpAt, droppedOffAt) = (Date.read(told.pickedUpAt, near: moment), Date.read(told.droppedOffAt, near: moment))
        case .status: if let status = told.status.flatMap(TripStatus.init(rawValue:)) { self.status = status }
        case .vehicle: setVehicle(told.vehicle)
        case .location: location = told.location(at: moment)
        case .eta:
            let type = WaypointType(rawValue: told.waypoint?.uppercased() ?? "") ?? .unknown
            arrival = (type, Date.read(told.eta, near: moment), told.remainingM)
        case .route: route = RouteLine(told.line, traffic: [])
        case .traffic: route = RouteLine(route.line, traffic: told.traffic)
        case .waypoints: setStops(told, at: moment)
        case .error: (isFailing, origin) = (true, told.origin == FleetEngineError.Origin.local.rawValue ? .local : .server)
        case .recovered: isFailing = false
        case .linkEnded: isOver = true
        case .freshness, .end, .shipment, .state, .window, .shared, .stops, .outcome, .replaced, nil: break
        }
    }

    private mutating func setVehicle(_ id: String?) {
        vehicleID = id
        namesVehicles = namesVehicles || id?.isEmpty == false
        if namesVehicles, id == nil { location = nil }
    }

    private mutating func setNames(_ told: LinkEventBody) {
        let names = [
            ("title", told.title), ("pickup_name", told.pickup), ("dropoff_name", told.dropoff), ("license_plate", told.plate),
            ("model", told.vehicleWords), ("driver_name", told.driver), (TripKind.attributeKey, told.kind),
        ]
        stopNames = Array((told.stopNames ?? []).prefix(1_000))
        attributes = Dictionary(names.compactMap { name, text in text.flatMap { $0.isEmpty ? nil : (name, $0) } }) { first, _ in first }
    }

    private mutating func setPlaces(_ told: LinkEventBody, at moment: Date) {
        let places = (told.places ?? []).prefix(1_002).compactMap { $0.stop(at: moment) }
        guard !places.isEmpty else { return }
        hasPlaces = true
        pickup = places.first { $0.type == .pickup }?.coordinate ?? pickup
        dropoff = places.last { $0.type == .dropoff }?.coordinate ?? dropoff
        betweens = places.filter { $0.type == .intermediate }.map(\.coordinate)
        stopsPassed = min(max(told.stopIndex ?? 0, 0), betweens.count)
    }

    private mutating func setStops(_ told: LinkEventBody, at moment: Date) {
        stopsBefore = min(max(told.stopsBefore ?? 0, 0), 1_000)
        nextType = told.nextType.flatMap(WaypointType.init(rawValue:)) ?? .unknown
        stops = (told.remaining ?? []).prefix(1_000).compactMap { $0.stop(at: moment) }
        pickup = stops.first { $0.type == .pickup }?.coordinate ?? pickup
        dropoff = stops.last { $0.type == .dropoff }?.coordinate ?? dropoff
        guard !hasPlaces else { return }
        let ahead = stops.filter { $0.type == .intermediate }.map(\.coordinate)
        // If there are at least as many stops ahead as in the previous event, all old stops are still ahead, perhaps at new places. If
        // there are fewer, the missing stops count as passed, because a removed stop looks like a passed one.
        if !stops.isEmpty, ahead.count >= betweens.count - stopsPassed { betweens = Array(betweens.prefix(stopsPassed)) + ahead }
        // A cancelled trip has no stops ahead, although the vehicle has not passed them.
        if status != .canceled { stopsPassed = betweens.count - ahead.count }
    }
}
