import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("Requests on the wire")
struct WireRequestTests {
    private let vehicle: VehicleName
    private let trip: TripName
    private let place = Coordinate(latitude: 10, longitude: 20)

    init() throws {
        vehicle = try VehicleName(provider: "demo", vehicle: "car")
        trip = try TripName(provider: "demo", trip: "t1")
    }

    @Test("an update of a vehicle sends only the values of its fields, under their paths")
    func vehicleUpdate() throws {
        var update = VehicleUpdate(fields: [.state, .deviceSettings], state: .online)
        update.location = VehicleLocation(coordinate: place)
        (update.remainingTimeSeconds, update.remainingDistanceMeters) = (5, 5)
        let jam = TrafficStretch(startMeters: 50.4, endMeters: 90, speed: .trafficJam)
        let flowing = TrafficStretch(startMeters: 0, endMeters: 50, speed: .normal)
        update.route = RouteLine([place, place.offset(eastMeters: 100, northMeters: 0)], traffic: [flowing, jam])
        let few = WireUpdateVehicleRequest(name: vehicle, update, header: .init())
        #expect(few.name == "providers/demo/vehicles/car" && few.updateMask.paths == ["vehicle_state", "device_settings"])
        #expect(few.vehicle == .with { $0.vehicleState = .online })
        update.fields = [.location, .remainingTime, .remainingDistance, .route, .routeEndPoint, .routeTraffic, .navigationStatus]
        update.navigationStatus = .offRoute
        update.routeEndPoint = TripWaypoint(coordinate: place, tripID: "t1", type: .dropoff)
        let many = WireUpdateVehicleRequest(name: vehicle, update, header: .init())
        #expect(
            many.updateMask.paths == [
                "last_location", "remaining_time_seconds", "remaining_distance_meters", "current_route_segment",
                "current_route_segment_end_point", "current_route_segment_traffic", "navigation_status",
            ])
        #expect(many.vehicle.lastLocation.location.latitude == 10 && many.vehicle.remainingTimeSeconds.value == 5)
        #expect(try S2Polyline.decode(many.vehicle.currentRouteSegment).count == 2)
        #expect(many.vehicle.currentRouteSegmentEndPoint.waypointType == .dropOffWaypointType)
        let stretches = many.vehicle.currentRouteSegmentTraffic.trafficRendering.roadStretch
        let stretch = try #require(stretches.first)
        #expect(stretch.style == .trafficJam && stretch.offsetMeters == 50 && stretch.lengthMeters == 40 && stretches.count == 1)
        #expect(many.vehicle.navigationStatus == .offRoute)
    }

    @Test("values that do not fit on the wire are clamped", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func oddFigures(figure: Double) {
        var update = VehicleUpdate(fields: [.location, .remainingTime, .remainingDistance, .routeTraffic])
        update.location = VehicleLocation(
            coordinate: place, headingDegrees: figure, speedMetersPerSecond: 3, updateTime: Date(timeIntervalSince1970: figure))
        (update.remainingTimeSeconds, update.remainingDistanceMeters) = (figure, figure)
        update.route = RouteLine(traffic: [TrafficStretch(startMeters: 0, endMeters: figure, speed: .slow)])
        let wire = WireUpdateVehicleRequest(name: vehicle, update, header: .init()).vehicle
        let clamped: Int32 = figure.isNaN ? 0 : figure < 0 ? .min : .max
        #expect(wire.remainingTimeSeconds.value == clamped && wire.remainingDistanceMeters.value == clamped)
        let lengths = wire.currentRouteSegmentTraffic.trafficRendering.roadStretch.map(\.lengthMeters)
        #expect(lengths == (figure > 0 ? [Int32.max] : []))
        #expect((0..<360).contains(wire.lastLocation.heading.value) && wire.lastLocation.updateTime.seconds == 0)
    }

    @Test("a heading is rounded into 0…359", arguments: [(359.6, 0), (-1, 359), (-0.4, 0), (720.5, 1), (89.4, 89)] as [(Double, Int32)])
    func heading(degrees: Double, sent: Int32) {
        #expect(VehicleLocation(coordinate: place, headingDegrees: degrees).wire.heading.value == sent)
    }

    @Test("times have microseconds, including those before 1970")
    func times() {
        for (seconds, whole, nanos) in [(1.5, Int64(1), Int32(500_000_000)), (-1.5, -2, 500_000_000), (0.000_001, 0, 1_000)] {
            let time = Google_Protobuf_Timestamp(moment: Date(timeIntervalSince1970: seconds))
            #expect(time.seconds == whole && time.nanos == nanos, "\(seconds)")
        }
    }

    @Test("an update of a trip names exactly what it changes, and includes the stops' version")
    func tripUpdate() {
        var request = TripUpdateRequest(name: trip)
        #expect(WireUpdateTripRequest(request, header: .init()).updateMask.paths.isEmpty)
        request.status = .enrouteToIntermediateDestination
        request.intermediateDestinationIndex = .max
        request.intermediateDestinationsVersion = DataVersion(seconds: 17, nanoseconds: 9)
        let wire = WireUpdateTripRequest(request, header: .init())
        #expect(wire.name == "providers/demo/trips/t1")
        #expect(wire.updateMask.paths == ["trip_status", "intermediate_destination_index"])
        #expect(wire.trip.tripStatus == .enrouteToIntermediateDestination && wire.trip.intermediateDestinationIndex == .max)
        #expect(wire.trip.intermediateDestinationsVersion.seconds == 17 && wire.trip.intermediateDestinationsVersion.nanos == 9)
    }

    @Test("every status has its number on the wire", arguments: TripStatus.allCases)
    func statuses(status: TripStatus) {
        let wire = WireUpdateTripRequest(TripUpdateRequest(name: trip, status: status), header: .init())
        #expect(wire.trip.tripStatus.rawValue == status.wireNumber)
        #expect(Trip(.with { $0.tripStatus = wire.trip.tripStatus }, name: trip).status == status)
    }

    @Test("a supplemental position is sent beside the sensor's; alone it leaves the choice of the best one to the server")
    func supplemental() {
        let gate = SupplementalLocation(
            coordinate: Coordinate(latitude: 1, longitude: 2), time: Date(timeIntervalSince1970: 1_700_000_000), accuracyMeters: 3)
        let beside = VehicleLocation(coordinate: place, rawCoordinate: place, supplemental: gate)
        #expect(beside.wire.hasLocation && VehicleLocation(beside.wire) == beside)
        let alone = VehicleLocation(coordinate: gate.coordinate, updateTime: gate.time, supplemental: gate)
        #expect(!alone.wire.hasLocation && !alone.wire.hasRawLocation && VehicleLocation(alone.wire) == alone)
        #expect(alone.wire.supplementalLocationSensor == .customerSuppliedLocation)
    }
}
