import EngineWorld
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Recorded traffic of the real Fleet Engine")
struct RecordedTripTests {
    private static let recording = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/fleet-logs/bay-area-trip1.json")

    @Test(
        "a real trip, replayed into the engine, gets answers of the same shape",
        .enabled(if: FileManager.default.fileExists(atPath: Self.recording.path)))
    func realTrip() throws {
        var player = try Player(Data(contentsOf: Self.recording))
        try player.play()
        #expect(player.comparedTrips == 7 && player.comparedVehicles == 278)
        #expect(player.fields.compared > 7_000 && player.fields.share >= 0.999, "\(player.fields.summary)")
    }

    @Test("an invented recording of the same form can be replayed")
    func madeUp() throws {
        var player = try Player(Data(Self.madeUpRecording.utf8))
        try player.play()
        #expect(player.comparedTrips == 4 && player.comparedVehicles == 1)
        #expect(player.fields.compared > 0)
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
        let soon = "2025-01-01T00:09:00Z"
        let live =
            #""currentroutesegment":"x","currentroutesegmentendpoint":{},"currentroutesegmenttraffic":{},"#
            + #""dropofftime":"\#(soon)","pickuptime":"\#(soon)","etatofirstwaypoint":"\#(soon)","remainingdistancemeters":1,"#
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
    private let rows: [RecordedTraffic.Row]
    private var engine = FleetEngineState()
    private var hasUpload = false
    private var isGuided = true
    private(set) var comparedTrips = 0
    private(set) var comparedVehicles = 0
    /// The comparison of the fields of all recorded answers.
    private(set) var fields = AnswerFields()

    init(_ data: Data) throws {
        rows = try RecordedTraffic(data).rows
    }

    mutating func play() throws {
        try createVehicle()
        for row in rows {
            switch row.kind {
            case "CreateTripLog": try createTrip(row)
            case "UpdateTripLog": try updateTrip(row)
            case "UpdateVehicleLog": try updateVehicle(row)
            default: Issue.record("unexpected row: \(row.kind)")
            }
        }
    }

    /// Creates the vehicle at its first recorded position. The recording begins after the vehicle came online.
    private mutating func createVehicle() throws {
        let ids = rows.compactMap { $0.request["vehicleid"]?.string }
        let id = try #require(ids.first)
        let seen = rows.map { WireVehicle(log: $0.response) }.filter(\.hasLastLocation)
        var location = try #require(seen.first).lastLocation
        location.clearServerTime()
        let first = try #require(rows.first)
        let settings = rows.lazy.filter { $0.kind == "UpdateVehicleLog" }.map { WireVehicle(log: $0.response) }.first
        let request = WireCreateVehicleRequest.new(id) {
            $0.parent = "providers/\(provider)"
            $0.vehicle.lastLocation = location
            guard let settings, settings.maximumCapacity > 0 else { return }
            $0.vehicle.supportedTripTypes = settings.supportedTripTypes
            $0.vehicle.maximumCapacity = settings.maximumCapacity
            $0.vehicle.vehicleType = settings.vehicleType
        }
        _ = try engine.createVehicle(request, now: first.time)
    }

    /// The provider of the trip.
    private var provider: String {
        let names = rows.lazy.compactMap { $0.response["name"]?.string?.split(separator: "/") }
        return names.first.map { String($0[1]) } ?? "plain"
    }

    private mutating func createTrip(_ row: RecordedTraffic.Row) throws {
        let recorded = WireTrip(log: try #require(row.request["trip"]))
        let request = WireCreateTripRequest.new(try #require(row.request["tripid"]?.string)) {
            $0.parent = "providers/\(provider)"
            $0.trip = recorded
        }
        compare(try engine.createTrip(request, now: row.time).answer, row)
    }

    private mutating func updateTrip(_ row: RecordedTraffic.Row) throws {
        var update = WireUpdateTripRequest()
        update.name = "providers/\(provider)/trips/\(try #require(row.request["tripid"]?.string))"
        update.trip = WireTrip(log: try #require(row.request["trip"]))
        update.updateMask.paths = row.mask
        compare(try engine.updateTrip(update, now: row.time).answer, row)
    }

    private mutating func updateVehicle(_ row: RecordedTraffic.Row) throws {
        var update = WireUpdateVehicleRequest()
        update.name = "providers/\(provider)/vehicles/\(try #require(row.request["vehicleid"]?.string))"
        update.vehicle = try row.vehicle
        update.updateMask.paths = row.mask
        if update.updateMask.paths.contains("navigationStatus") { isGuided = update.vehicle.navigationStatus != .noGuidance }
        if !update.vehicle.currentRouteSegment.isEmpty { hasUpload = true }
        compare(try engine.updateVehicle(update, now: row.time).answer, row)
    }

    private mutating func compare(_ trip: WireTrip, _ row: RecordedTraffic.Row) {
        comparedTrips += 1
        let isToPickup = trip.tripStatus == .enrouteToPickup || trip.tripStatus == .arrivedAtPickup
        fields.compare(try? trip.jsonString(), row, hasDriversFigures: hasUpload && isGuided && isToPickup)
        let recorded = WireTrip(log: row.response)
        let comment = Comment(rawValue: row.timestamp)
        let isSet: [(String, (WireTrip) -> Bool)] = [
            ("vehicle_id", { !$0.vehicleID.isEmpty }), ("current_route_segment", { !$0.currentRouteSegment.isEmpty }),
            ("current_route_segment_end_point", \.hasCurrentRouteSegmentEndPoint),
            ("current_route_segment_traffic", \.hasCurrentRouteSegmentTraffic), ("pickup_time", \.hasPickupTime),
            ("dropoff_time", \.hasDropoffTime), ("eta_to_first_waypoint", \.hasEtaToFirstWaypoint),
            ("remaining_time", \.hasRemainingTimeToFirstWaypoint), ("remaining_distance_meters", \.hasRemainingDistanceMeters),
            ("actual_pickup_point", \.hasActualPickupPoint), ("actual_dropoff_point", \.hasActualDropoffPoint),
            ("last_location", \.hasLastLocation), ("last_location.heading", \.lastLocation.hasHeading),
            ("last_location.raw_location", \.lastLocation.hasRawLocation),
        ]
        for (field, value) in isSet { #expect(value(trip) == value(recorded), "\(field) at \(row.timestamp)") }
        #expect(trip.tripStatus == recorded.tripStatus, comment)
        #expect(trip.remainingWaypoints.count == recorded.remainingWaypoints.count, comment)
        #expect(trip.vehicleWaypoints.count == recorded.vehicleWaypoints.count, comment)
        compareFacts(trip, recorded, comment)
        // Only routes to the pickup are compared. After the pickup, each server returns its own plan until the driver uploads a route.
        if hasUpload, trip.tripStatus == .enrouteToPickup || trip.tripStatus == .arrivedAtPickup {
            #expect(trip.currentRouteSegment == recorded.currentRouteSegment, comment)
        }
    }

    private func compareFacts(_ trip: WireTrip, _ recorded: WireTrip, _ comment: Comment) {
        for (ours, theirs) in [
            (trip.actualPickupPoint, recorded.actualPickupPoint), (trip.actualDropoffPoint, recorded.actualDropoffPoint),
        ] where theirs.hasPoint {
            #expect(ours.point.coordinate == theirs.point.coordinate, comment)
            #expect(abs(theirs.timestamp.moment.timeIntervalSince(ours.timestamp.moment)) < 2e-3, comment)
        }
        guard trip.tripStatus == .complete else { return }
        for (ours, theirs) in [(trip.pickupTime, recorded.pickupTime), (trip.dropoffTime, recorded.dropoffTime)] {
            #expect(abs(theirs.moment.timeIntervalSince(ours.moment)) < 1e-5, comment)
        }
    }

    private mutating func compare(_ vehicle: WireVehicle, _ row: RecordedTraffic.Row) {
        comparedVehicles += 1
        fields.compare(try? vehicle.jsonString(), row, hasDriversFigures: true)
        let recorded = WireVehicle(log: row.response)
        let comment = Comment(rawValue: row.timestamp)
        #expect(vehicle.currentRouteSegment == recorded.currentRouteSegment, comment)
        #expect(vehicle.currentTrips == recorded.currentTrips, comment)
        #expect(vehicle.waypoints.count == recorded.waypoints.count, comment)
        #expect(recorded.hasRemainingDistanceMeters && vehicle.remainingDistanceMeters == recorded.remainingDistanceMeters, comment)
        #expect(vehicle.hasCurrentRouteSegmentEndPoint == recorded.hasCurrentRouteSegmentEndPoint, comment)
        #expect(vehicle.currentRouteSegmentEndPoint.waypointType == recorded.currentRouteSegmentEndPoint.waypointType, comment)
        if isGuided || vehicle.currentTrips.isEmpty {
            #expect(recorded.hasEtaToFirstWaypoint, comment)
            #expect(abs(recorded.etaToFirstWaypoint.moment.timeIntervalSince(vehicle.etaToFirstWaypoint.moment)) < 0.05, comment)
        }
    }
}
