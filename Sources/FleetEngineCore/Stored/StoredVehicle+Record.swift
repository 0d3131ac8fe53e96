import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

extension StoredVehicle {
    /// Creates the database row of a vehicle, without its paths; see ``StoredWays``.
    package init(_ record: VehicleRecord) {
        self.init()
        name = record.name.description
        serial = record.serial
        stamp = record.stamp.microseconds
        updatedAt = record.updatedAt.timeIntervalSinceReferenceDate
        vehicle = record.vehicle
        currentTrips = record.currentTrips
        account = record.account
        stops = record.stops.map(StoredStop.init)
        hasWays_p = record.hasWays
        hasUploaded_p = record.hasUploaded
        if let plan = record.plan { self.plan = StoredPlan(plan) }
        shown = record.shownWay
        if let meters = record.report.remainingMeters { reportedMeters = meters }
        if let arrival = record.report.arrival { reportedArrival = arrival.timeIntervalSinceReferenceDate }
        if let own = record.report.own {
            reportedFromMeters = own.meters
            isReportedAlongRoute = own.isAlongRoute
        }
        estimates = record.estimates.map(StoredEstimate.init)
        isOnRoute = record.isOnRoute
        uploadMeters = record.uploadMeters
        if let standing = record.standing { self.standing = StoredStanding(standing) }
        if let fix = record.jumps.lastDiscarded { jumps = StoredJumps(fix, count: record.jumps.count) }
        if let phone = record.phone { self.phone = StoredPhone(phone) }
        if let stamp = record.stopsStamp { stopsStamp = stamp.microseconds }
        if let stamp = record.approachStamp { approachStamp = stamp.microseconds }
        if let stamp = record.trafficStamp { trafficStamp = stamp.microseconds }
        if let point = record.stampedEndPoint { stampedEndPoint = point }
    }

    /// - Parameter ways: the row of the vehicle's paths; nil without one.
    package func record(ways: StoredWays?) throws -> VehicleRecord {
        guard hasWays_p else { return try record() }
        guard let ways, ways.serial == serial, ways.hasPlan == hasPlan else { throw DamagedRecordError() }
        var whole = self
        whole.between = ways.between
        if ways.hasApproach { whole.approach = ways.approach }
        if ways.hasUpload { whole.upload = ways.upload }
        if ways.hasPlan { whole.plan.leg = ways.plan }
        return try whole.record()
    }

    private func record() throws -> VehicleRecord {
        let updatedAt = try Date(stored: updatedAt)
        var record = VehicleRecord(
            name: try VehicleName(name), serial: serial, stamp: ChangeStamp(microseconds: stamp), vehicle: vehicle,
            account: account.isEmpty ? EngineAccount.anonymous : account, now: updatedAt)
        record.currentTrips = currentTrips
        record.stops = try stops.map { try $0.stop() }
        record.between = try between.map { try $0.leg() }
        guard record.between.count == max(0, stops.count - 1), estimates.count <= stops.count else { throw DamagedRecordError() }
        if hasUpload {
            record.upload = UploadedRoute(leg: try upload.leg.leg(), endPoint: upload.hasEndPoint ? upload.endPoint : nil)
            record.upload?.find(record.stops)
        }
        record.hasUploaded = hasUploaded_p
        if hasPlan { record.plan = try plan.plan() }
        record.approach = try shownWay(of: record)
        record.report = VehicleRecord.Report(
            remainingMeters: hasReportedMeters ? reportedMeters : nil,
            arrival: hasReportedArrival ? try Date(stored: reportedArrival) : nil,
            own: hasReportedFromMeters
                ? VehicleRecord.OwnDistance(meters: reportedFromMeters, isAlongRoute: isReportedAlongRoute) : nil)
        record.estimates = try estimates.map {
            VehicleRecord.Estimate(remainingMeters: $0.remainingMeters, arrival: try Date(stored: $0.arrival))
        }
        if hasStanding { record.standing = try standing.standing() }
        if hasJumps { record.jumps = try jumps.filter() }
        if hasPhone { record.phone = try phone.record() }
        record.isOnRoute = isOnRoute
        record.uploadMeters = uploadMeters
        record.stopsStamp = hasStopsStamp ? ChangeStamp(microseconds: stopsStamp) : nil
        record.approachStamp = hasApproachStamp ? ChangeStamp(microseconds: approachStamp) : nil
        record.trafficStamp = hasTrafficStamp ? ChangeStamp(microseconds: trafficStamp) : nil
        record.stampedEndPoint = hasStampedEndPoint ? stampedEndPoint : nil
        return record
    }

    private func shownWay(of record: VehicleRecord) throws -> StopPath? {
        switch shown {
        case .none: return nil
        case .uploaded: return record.upload?.leg
        case .planned: return record.plan?.leg
        case .other: return try approach.leg()
        case .UNRECOGNIZED: throw DamagedRecordError()
        }
    }
}

extension VehicleRecord {
    /// The source of the shown path. Only an `.other` path is stored separately.
    fileprivate var shownWay: StoredVehicle.Shown {
        guard let approach else { return .none }
        return approach == upload?.leg ? .uploaded : approach == plan?.leg ? .planned : .other
    }

    fileprivate var hasWays: Bool { !between.isEmpty || upload != nil || plan != nil || approach != nil }

    /// Whether all paths equal those of another record. Equal paths need not be written again.
    package func hasSameWays(as other: VehicleRecord) -> Bool {
        between == other.between && upload?.leg == other.upload?.leg && upload?.endPoint == other.upload?.endPoint
            && plan?.leg == other.plan?.leg && approach == other.approach
    }
}

extension StoredWays {
    /// Creates the database row of a vehicle's paths; nil for a vehicle without paths.
    package init?(_ record: VehicleRecord) {
        guard record.hasWays else { return nil }
        self.init()
        serial = record.serial
        between = record.between.map(StoredStampedLeg.init)
        if record.shownWay == .other, let shown = record.approach { approach = StoredLeg(shown) }
        if let upload = record.upload { self.upload = StoredUpload(upload) }
        if let plan = record.plan { self.plan = StoredLeg(plan.leg) }
    }
}

extension StoredStanding {
    fileprivate init(_ standing: VehicleRecord.Standing) {
        self.init()
        (latitude, longitude) = (standing.place.latitude, standing.place.longitude)
        arrivals = standing.arrivals.map(\.timeIntervalSinceReferenceDate)
    }

    fileprivate func standing() throws -> VehicleRecord.Standing {
        VehicleRecord.Standing(
            place: Coordinate(latitude: latitude, longitude: longitude), arrivals: try arrivals.map { try Date(stored: $0) })
    }
}

extension StoredJumps {
    init(_ fix: JumpFilter.Fix, count: Int) {
        self.init()
        (latitude, longitude) = (fix.place.latitude, fix.place.longitude)
        time = fix.time.timeIntervalSinceReferenceDate
        accuracyMeters = fix.accuracyMeters
        self.count = Int64(count)
    }

    func filter() throws -> JumpFilter {
        var filter = JumpFilter()
        filter.lastDiscarded = JumpFilter.Fix(
            place: Coordinate(latitude: latitude, longitude: longitude), time: try Date(stored: time), accuracyMeters: accuracyMeters)
        // Only damaged data reaches this limit, because the filter resets its count at `agreeingFixes`.
        filter.count = Int(min(max(count, 0), 1_000))
        return filter
    }
}

extension StoredEstimate {
    fileprivate init(_ estimate: VehicleRecord.Estimate) {
        self.init()
        remainingMeters = estimate.remainingMeters
        arrival = estimate.arrival.timeIntervalSinceReferenceDate
    }
}

extension StoredStampedLeg {
    fileprivate init(_ stamped: VehicleRecord.StampedLeg) {
        self.init()
        leg = StoredLeg(stamped.leg)
        isStandIn = stamped.isStandIn
        straightMeters = stamped.straightMeters
        stamp = stamped.stamp.microseconds
    }

    fileprivate func leg() throws -> VehicleRecord.StampedLeg {
        VehicleRecord.StampedLeg(
            leg: try leg.leg(), isStandIn: isStandIn, straightMeters: straightMeters, stamp: ChangeStamp(microseconds: stamp))
    }
}

extension StoredUpload {
    fileprivate init(_ upload: UploadedRoute) {
        self.init()
        leg = StoredLeg(upload.leg)
        if let point = upload.endPoint { endPoint = point }
    }
}

extension StoredPlan {
    /// Creates the row of a plan without its path.
    fileprivate init(_ plan: VehicleRecord.Plan) {
        self.init()
        (latitude, longitude) = (plan.origin.latitude, plan.origin.longitude)
        isStandIn = plan.isStandIn
        madeAt = plan.madeAt.timeIntervalSinceReferenceDate
        offsetMeters = plan.offsetMeters
        alongMeters = plan.alongMeters
    }

    fileprivate func plan() throws -> VehicleRecord.Plan {
        VehicleRecord.Plan(
            leg: try leg.leg(), origin: Coordinate(latitude: latitude, longitude: longitude), isStandIn: isStandIn,
            madeAt: try Date(stored: madeAt), offsetMeters: offsetMeters, alongMeters: alongMeters)
    }
}

extension StoredLeg {
    init(_ leg: StopPath) {
        self.init()
        // A planned route is stored as points, and an uploaded route as text. The other form is computed from the stored one.
        if let planner = leg.planner {
            self.planner = planner
            points = leg.line.coordinates.flatMap { [$0.latitude, $0.longitude] }
        } else {
            encoded = leg.encoded
        }
        lengthMeters = leg.lengthMeters
        durationSeconds = leg.durationSeconds
        cumulativeSeconds = leg.route.times?.marks.map(\.seconds) ?? []
        traffic = leg.route.traffic.map { stretch in
            .with {
                $0.startMeters = stretch.startMeters
                $0.endMeters = stretch.endMeters
                $0.speed = stretch.speed.rawValue
            }
        }
    }

    func leg() throws -> StopPath {
        let coordinates: [Coordinate]
        if hasPlanner {
            guard points.count.isMultiple(of: 2) else { throw DamagedRecordError() }
            coordinates = stride(from: 0, to: points.count, by: 2).map { Coordinate(latitude: points[$0], longitude: points[$0 + 1]) }
        } else {
            coordinates = try S2Polyline.decode(encoded)
        }
        let traffic = try traffic.map { stretch in
            guard let speed = TrafficSpeed(rawValue: stretch.speed) else { throw DamagedRecordError() }
            return TrafficStretch(startMeters: stretch.startMeters, endMeters: stretch.endMeters, speed: speed)
        }
        let line = Polyline(coordinates)
        return StopPath(
            kept: RouteLine(line, traffic: traffic, times: Timetable(line, cumulativeSeconds: cumulativeSeconds)),
            encoded: hasPlanner ? nil : encoded, lengthMeters: lengthMeters, durationSeconds: durationSeconds,
            planner: hasPlanner ? planner : nil)
    }
}
