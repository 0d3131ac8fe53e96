import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import LocalFleetEngine

@Suite("Recorded traffic of the real Fleet Engine")
struct RecordedTripTests {
    private static let recording = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/fleet-logs/bay-area-trip1.json")

    @Test(
        "a real trip, played into the engine, gets answers of the same shape",
        .enabled(if: FileManager.default.fileExists(atPath: Self.recording.path)))
    func realTrip() throws {
        var player = try Player(Data(contentsOf: Self.recording))
        try player.play()
        #expect(player.comparedTrips == 7 && player.comparedVehicles == 278)
    }

    @Test("a made-up recording of the same form")
    func madeUp() throws {
        var player = try Player(Data(Self.madeUpRecording.utf8))
        try player.play()
        #expect(player.comparedTrips == 4 && player.comparedVehicles == 1)
    }

    private static let route = S2Polyline.encode([World.centre, World.place(east: 500, north: 20), World.pickup])

    private static var madeUpRecording: String {
        func point(_ place: Coordinate) -> String { #"{"point":{"latitude":\#(place.latitude),"longitude":\#(place.longitude)}}"# }
        func row(_ second: Int, _ kind: String, _ request: String, _ response: String) -> String {
            let time = "2025-01-01T00:00:\(second < 10 ? "0" : "")\(second).5Z"
            return #"{"timestamp":"\#(time)","jsonpayload":{"@type":"x.\#(kind)","request":\#(request),"response":\#(response)}}"#
        }
        let points = #""pickuppoint":\#(point(World.pickup)),"dropoffpoint":\#(point(World.dropoff)),"triptype":"EXCLUSIVE_TRIP""#
        let here = #""lastlocation":{"location":{"latitude":\#(World.centre.latitude),"longitude":\#(World.centre.longitude)}}"#
        let live =
            #""currentroutesegment":"x","currentroutesegmentendpoint":{},"currentroutesegmenttraffic":{},"#
            + #""dropofftime":"x","pickuptime":"x","etatofirstwaypoint":"x","remainingdistancemeters":1,"#
            + #""remainingtimetofirstwaypoint":"1s","remainingwaypoints":[{},{}],"vehiclewaypoints":[{},{}],\#(here)"#
        let rows = [
            row(1, "CreateTripLog", #"{"tripid":"m1","trip":{\#(points),"numberofpassengers":1}}"#, #"{"status":"TRIP_STATUS_NEW"}"#),
            row(
                2, "UpdateTripLog", #"{"tripid":"m1","updatemask":"vehicleId","trip":{"vehicleid":"car"}}"#,
                #"{"status":"TRIP_STATUS_NEW","vehicleid":"car",\#(live)}"#),
            row(
                4, "UpdateVehicleLog",
                #"{"vehicleid":"car","updatemask":"vehicleState,currentRouteSegment,remainingTimeSeconds,remainingDistanceMeters","#
                    + #""vehicle":{"state":"VEHICLE_STATE_ONLINE","currentroutesegment":"\#(route)","remainingtimeseconds":60,"#
                    + #""remainingdistancemeters":900}}"#,
                #"{"currentroutesegment":"\#(route)","currentroutesegmentendpoint":{"type":"WAYPOINT_TYPE_PICKUP"},"#
                    + #""currenttrips":["m1"],"etatofirstwaypoint":"2025-01-01T00:01:04.5Z","remainingdistancemeters":900,"#
                    + #""state":"VEHICLE_STATE_ONLINE","waypoints":[{},{}],\#(here)}"#),
            row(
                6, "UpdateTripLog", #"{"tripid":"m1","updatemask":"tripStatus","trip":{"status":"TRIP_STATUS_ENROUTE_TO_PICKUP"}}"#,
                #"{"status":"TRIP_STATUS_ENROUTE_TO_PICKUP","vehicleid":"car",\#(live)}"#
                    .replacing(#""currentroutesegment":"x""#, with: #""currentroutesegment":"\#(route)""#)),
            row(
                9, "UpdateTripLog", #"{"tripid":"m1","updatemask":"tripStatus","trip":{"status":"TRIP_STATUS_CANCELED"}}"#,
                #"{"status":"TRIP_STATUS_CANCELED","vehicleid":"car"}"#),
        ]
        return #"{"rawLogs":[\#(rows.joined(separator: ","))]}"#
    }
}

/// Plays recorded requests into an engine, in their order and at their times, and compares its answers with the recorded ones.
private struct Player {
    private let rows: [(row: RecordedTraffic.Row, time: Date)]
    private var engine = FleetEngineState()
    private var hasUpload = false
    private var isGuided = true
    private(set) var comparedTrips = 0
    private(set) var comparedVehicles = 0

    init(_ data: Data) throws {
        rows = try JSONDecoder().decode(RecordedTraffic.self, from: data).inOrder()
    }

    mutating func play() throws {
        try createVehicle()
        for (row, now) in rows {
            switch row.kind {
            case "CreateTripLog": try createTrip(row, now)
            case "UpdateTripLog": try updateTrip(row, now)
            case "UpdateVehicleLog": try updateVehicle(row, now)
            default: Issue.record("unexpected row: \(row.kind)")
            }
        }
    }

    /// The recording begins after the vehicle came on line: it stands where the first answer with a position saw it.
    private mutating func createVehicle() throws {
        let id = try #require(rows.lazy.compactMap { $0.row.jsonpayload.request.vehicleid }.first)
        let seen = try #require(rows.lazy.compactMap { $0.row.jsonpayload.response.lastlocation }.first)
        let location = try seen.wire()
        _ = try engine.createVehicle(.new(id) { $0.vehicle.lastLocation = location }, now: try #require(rows.first).time)
    }

    private mutating func createTrip(_ row: RecordedTraffic.Row, _ now: Date) throws {
        let request = row.jsonpayload.request
        let recorded = try #require(request.trip).trip()
        let trip = try engine.createTrip(.new(try #require(request.tripid)) { $0.trip = recorded }, now: now).answer
        compare(trip, row)
    }

    private mutating func updateTrip(_ row: RecordedTraffic.Row, _ now: Date) throws {
        let request = row.jsonpayload.request
        var update = WireUpdateTripRequest()
        update.name = "\(World.provider)/trips/\(try #require(request.tripid))"
        update.trip = try #require(request.trip).trip()
        update.updateMask.paths = try #require(request.updatemask).split(separator: ",").map(String.init)
        compare(try engine.updateTrip(update, now: now).answer, row)
    }

    private mutating func updateVehicle(_ row: RecordedTraffic.Row, _ now: Date) throws {
        let request = row.jsonpayload.request
        var update = WireUpdateVehicleRequest()
        update.name = "\(World.provider)/vehicles/\(try #require(request.vehicleid))"
        update.vehicle = try #require(request.vehicle).vehicle()
        update.updateMask.paths = try #require(request.updatemask).split(separator: ",").map(String.init)
        if update.updateMask.paths.contains("navigationStatus") { isGuided = update.vehicle.navigationStatus != .noGuidance }
        if !update.vehicle.currentRouteSegment.isEmpty { hasUpload = true }
        try compare(try engine.updateVehicle(update, now: now).answer, row)
    }

    private mutating func compare(_ trip: WireTrip, _ row: RecordedTraffic.Row) {
        comparedTrips += 1
        let recorded = row.jsonpayload.response
        let comment = Comment(rawValue: row.timestamp)
        let isSet: [(String, Bool, Bool)] = [
            ("vehicle_id", !trip.vehicleID.isEmpty, recorded.vehicleid != nil),
            ("current_route_segment", !trip.currentRouteSegment.isEmpty, recorded.currentroutesegment != nil),
            ("current_route_segment_end_point", trip.hasCurrentRouteSegmentEndPoint, recorded.currentroutesegmentendpoint != nil),
            ("current_route_segment_traffic", trip.hasCurrentRouteSegmentTraffic, recorded.currentroutesegmenttraffic != nil),
            ("pickup_time", trip.hasPickupTime, recorded.pickuptime != nil),
            ("dropoff_time", trip.hasDropoffTime, recorded.dropofftime != nil),
            ("eta_to_first_waypoint", trip.hasEtaToFirstWaypoint, recorded.etatofirstwaypoint != nil),
            ("remaining_time", trip.hasRemainingTimeToFirstWaypoint, recorded.remainingtimetofirstwaypoint != nil),
            ("remaining_distance_meters", trip.hasRemainingDistanceMeters, recorded.remainingdistancemeters != nil),
            ("actual_pickup_point", trip.hasActualPickupPoint, recorded.actualpickuppoint != nil),
            ("actual_dropoff_point", trip.hasActualDropoffPoint, recorded.actualdropoffpoint != nil),
            ("last_location", trip.hasLastLocation, recorded.lastlocation != nil),
            ("last_location.heading", trip.lastLocation.hasHeading, recorded.lastlocation?.heading != nil),
            ("last_location.raw_location", trip.lastLocation.hasRawLocation, recorded.lastlocation?.rawlocation != nil),
        ]
        for (field, ours, theirs) in isSet { #expect(ours == theirs, "\(field) at \(row.timestamp)") }
        let status = TripStatus(wireNumber: trip.tripStatus.rawValue).name
        #expect("TRIP_STATUS_\(status)" == recorded.status, comment)
        #expect(trip.remainingWaypoints.count == recorded.remainingwaypoints?.count ?? 0, comment)
        #expect(trip.vehicleWaypoints.count == recorded.vehiclewaypoints?.count ?? 0, comment)
        compareFacts(trip, recorded, comment)
        // Right after the pickup no driver's route leads to the drop-off yet, and each server answers a plan of its own.
        if hasUpload, trip.tripStatus == .enrouteToPickup || trip.tripStatus == .arrivedAtPickup {
            #expect(trip.currentRouteSegment == recorded.currentroutesegment, comment)
        }
    }

    private func compareFacts(_ trip: WireTrip, _ recorded: RecordedTraffic.Answer, _ comment: Comment) {
        for (ours, theirs) in [
            (trip.actualPickupPoint, recorded.actualpickuppoint), (trip.actualDropoffPoint, recorded.actualdropoffpoint),
        ] {
            guard let theirs else { continue }
            #expect(ours.point.coordinate == theirs.point.coordinate, comment)
            #expect(
                (try? RecordedTraffic.time(theirs.timestamp)).map { abs($0.timeIntervalSince(ours.timestamp.moment)) < 2e-3 } == true,
                comment)
        }
        guard trip.tripStatus == .complete else { return }
        for (ours, theirs) in [(trip.pickupTime, recorded.pickuptime), (trip.dropoffTime, recorded.dropofftime)] {
            let time = theirs.flatMap { try? RecordedTraffic.time($0) }
            #expect(time.map { abs($0.timeIntervalSince(ours.moment)) < 1e-5 } == true, comment)
        }
    }

    private mutating func compare(_ vehicle: WireVehicle, _ row: RecordedTraffic.Row) throws {
        comparedVehicles += 1
        let recorded = row.jsonpayload.response
        let comment = Comment(rawValue: row.timestamp)
        #expect(vehicle.currentRouteSegment == recorded.currentroutesegment ?? "", comment)
        #expect(vehicle.currentTrips == recorded.currenttrips ?? [], comment)
        #expect(vehicle.waypoints.count == recorded.waypoints?.count ?? 0, comment)
        #expect(vehicle.remainingDistanceMeters.value == recorded.remainingdistancemeters, comment)
        let endType = vehicle.hasCurrentRouteSegmentEndPoint ? vehicle.currentRouteSegmentEndPoint.waypointType : nil
        let recordedType: WireWaypointType? =
            switch recorded.currentroutesegmentendpoint?.type {
            case "WAYPOINT_TYPE_PICKUP": .pickupWaypointType
            case "WAYPOINT_TYPE_DROP_OFF": .dropOffWaypointType
            default: nil
            }
        #expect(endType == recordedType, comment)
        if isGuided || vehicle.currentTrips.isEmpty {
            let eta = try RecordedTraffic.time(try #require(recorded.etatofirstwaypoint))
            #expect(abs(eta.timeIntervalSince(vehicle.etaToFirstWaypoint.moment)) < 0.05, comment)
        }
    }
}
