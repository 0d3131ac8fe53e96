import FleetEngine
package import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

extension StoredTask {
    package init(_ record: TaskRecord) {
        self.init()
        serial = record.serial
        stamp = record.stamp.microseconds
        task = record.task.wire
        account = record.account
    }

    package func record() throws -> TaskRecord {
        TaskRecord(
            serial: serial, stamp: ChangeStamp(microseconds: stamp), task: DeliveryTask(task, name: try TaskName(task.name)),
            account: account)
    }
}

extension StoredDeliveryVehicle {
    /// Creates the database row of a vehicle, without its routes; see ``StoredDeliveryWays``.
    package init(_ record: DeliveryVehicleRecord) {
        self.init()
        serial = record.serial
        stamp = record.stamp.microseconds
        vehicle = record.wire
        if let arrival = record.upload?.arrival { reportedArrival = arrival.timeIntervalSinceReferenceDate }
        stops = record.run.stops.map(StoredDeliveryStop.init)
        if let approach = record.run.approach { self.approach = StoredDeliveryApproach(approach) }
        firstSince = record.run.isFirstSince.timeIntervalSinceReferenceDate
        if let arrivedAt = record.run.arrivedAt { self.arrivedAt = arrivedAt.timeIntervalSinceReferenceDate }
        firstSeconds = record.run.firstSeconds
        if let fix = record.jumps.lastDiscarded { jumps = StoredJumps(fix, count: record.jumps.count) }
        account = record.account
        hasWays_p = record.hasWays
    }

    /// - Parameter ways: the row of the vehicle's routes; nil without one.
    package func record(ways: StoredDeliveryWays?) throws -> DeliveryVehicleRecord {
        guard hasWays_p == (ways != nil), ways == nil || ways?.serial == serial else { throw DamagedRecordError() }
        let ways = ways ?? StoredDeliveryWays()
        var record = DeliveryVehicleRecord(
            name: try DeliveryVehicleName(vehicle.name), serial: serial, stamp: ChangeStamp(microseconds: stamp),
            type: DeliveryVehicleType(vehicle.type), attributes: [DeliveryAttribute](vehicle.attributes),
            location: vehicle.hasLastLocation ? vehicle.lastLocation : nil, account: account)
        record.navigationStatus = vehicle.navigationStatus
        record.upload = try upload(ways)
        record.run = try run(ways)
        if hasJumps { record.jumps = try jumps.filter() }
        return record
    }

    private func upload(_ ways: StoredDeliveryWays) throws -> DeliveryUpload? {
        guard !ways.uploaded.isEmpty else { return nil }
        var upload = DeliveryUpload(text: ways.uploaded, line: Polyline(try EncodedPolyline.decode(ways.uploaded)))
        if vehicle.hasCurrentRouteSegmentEndPoint { upload.endPoint = vehicle.currentRouteSegmentEndPoint.coordinate }
        if vehicle.hasRemainingDistanceMeters { upload.remainingMeters = vehicle.remainingDistanceMeters.value }
        if hasReportedArrival { upload.arrival = try Date(stored: reportedArrival) }
        return upload
    }

    private func run(_ ways: StoredDeliveryWays) throws -> DeliveryRun {
        let stops = try stops.map { try $0.stop() }
        guard ways.between.count == max(0, stops.count - 1) else { throw DamagedRecordError() }
        var run = DeliveryRun()
        run.restore(
            stops, between: try zip(ways.between, stops.dropFirst()).map { try $0.leg(to: $1.place) },
            isFirstSince: try Date(stored: firstSince), arrivedAt: hasArrivedAt ? try Date(stored: arrivedAt) : nil,
            firstSeconds: firstSeconds)
        guard let first = stops.first?.place else { return run }
        let added = ways.hasAdded ? try ways.added.leg(to: first) : nil
        guard hasApproach else { return run }
        guard let leg = ways.hasApproach ? try ways.approach.leg(to: first) : added else { throw DamagedRecordError() }
        run.restore(added: added, approach: try approach.approach(leg))
        return run
    }
}

extension DeliveryVehicleRecord {
    /// The settings and the last report. The route, the arrival time and the stops are stored separately.
    fileprivate var wire: WireDeliveryVehicle {
        .with { wire in
            wire.name = name.description
            wire.type = type.wire
            wire.attributes = attributes.map { WireVehicleAttribute($0) }
            if let location { wire.lastLocation = location }
            wire.navigationStatus = navigationStatus
            if let point = upload?.endPoint { wire.currentRouteSegmentEndPoint = WireLatLng(point) }
            if let meters = upload?.remainingMeters { wire.remainingDistanceMeters = .init(meters) }
        }
    }

    fileprivate var hasWays: Bool { upload != nil || run.added != nil || run.approach != nil || !run.between.isEmpty }

    /// Whether all routes equal those of another record. Equal routes need not be written again.
    package func hasSameWays(as other: DeliveryVehicleRecord) -> Bool {
        upload?.text == other.upload?.text && run.added == other.run.added && run.approach?.leg == other.run.approach?.leg
            && run.between == other.run.between
    }
}

extension StoredDeliveryWays {
    /// Creates the database row of a vehicle's routes; nil for a vehicle without routes.
    package init?(_ record: DeliveryVehicleRecord) {
        guard record.hasWays else { return nil }
        self.init()
        serial = record.serial
        uploaded = record.upload?.text ?? ""
        if let leg = record.run.added { added = StoredDeliveryLeg(leg) }
        if let leg = record.run.approach?.leg, leg != record.run.added { approach = StoredDeliveryLeg(leg) }
        between = record.run.between.map(StoredDeliveryLeg.init)
    }
}

extension StoredDeliveryStop {
    fileprivate init(_ stop: DeliveryStop) {
        self.init()
        latitude = stop.place.latitude
        longitude = stop.place.longitude
        state = stop.state.wire
        tasks = stop.tasks.map { task in
            .with {
                $0.id = task.id
                $0.durationSeconds = task.durationSeconds
                $0.isUnavailable = task.isUnavailable
            }
        }
    }

    fileprivate func stop() throws -> DeliveryStop {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        guard place.isValid, state != .unspecified else { throw DamagedRecordError() }
        return DeliveryStop(
            place: place, state: VehicleStopState(state),
            tasks: tasks.map { .init(id: $0.id, durationSeconds: $0.durationSeconds, isUnavailable: $0.isUnavailable) })
    }
}

extension StoredDeliveryApproach {
    fileprivate init(_ approach: DeliveryApproach) {
        self.init()
        madeAt = approach.madeAt.timeIntervalSinceReferenceDate
        alongMeters = approach.alongMeters
        placedAt = approach.placedAt.timeIntervalSinceReferenceDate
    }

    fileprivate func approach(_ leg: DeliveryLeg) throws -> DeliveryApproach {
        DeliveryApproach(leg, madeAt: try Date(stored: madeAt), alongMeters: alongMeters, placedAt: try Date(stored: placedAt))
    }
}

extension StoredDeliveryLeg {
    fileprivate init(_ leg: DeliveryLeg) {
        self.init()
        startLatitude = leg.way.start.latitude
        startLongitude = leg.way.start.longitude
        points = leg.line.coordinates.flatMap { [$0.latitude, $0.longitude] }
        lengthMeters = leg.meters
        durationSeconds = leg.seconds
        isStandIn = leg.isStandIn
    }

    fileprivate func leg(to end: Coordinate) throws -> DeliveryLeg {
        guard points.count.isMultiple(of: 2) else { throw DamagedRecordError() }
        let line = stride(from: 0, to: points.count, by: 2).map { Coordinate(latitude: points[$0], longitude: points[$0 + 1]) }
        let way = Way(start: Coordinate(latitude: startLatitude, longitude: startLongitude), end: end)
        return DeliveryLeg(kept: way, line: Polyline(line), meters: lengthMeters, seconds: durationSeconds, isStandIn: isStandIn)
    }
}
