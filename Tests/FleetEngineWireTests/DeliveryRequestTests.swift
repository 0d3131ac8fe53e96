import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("Requests about deliveries, on the wire")
struct DeliveryRequestTests {
    private let name: DeliveryVehicleName
    private let place = Coordinate(latitude: 10, longitude: 20)

    init() throws { name = try DeliveryVehicleName(provider: "demo", vehicle: "van") }

    @Test("an update of a delivery vehicle sends only the values of its fields, under their paths")
    func vehicleUpdate() throws {
        var update = DeliveryVehicleUpdate(fields: [.location, .remainingDuration], location: VehicleLocation(coordinate: place))
        update.remainingDurationSeconds = 90
        update.remainingDistanceMeters = 700
        update.navigationStatus = .enrouteToDestination
        update.route = Polyline([place, place.offset(eastMeters: 100, northMeters: 0)])
        update.routeEndPoint = place
        let few = WireUpdateDeliveryVehicleRequest(name: name, update, header: .init())
        #expect(few.updateMask.paths == ["last_location", "remaining_duration"])
        #expect(few.deliveryVehicle.name == "providers/demo/deliveryVehicles/van" && few.deliveryVehicle.remainingDuration.seconds == 90)
        #expect(!few.deliveryVehicle.hasRemainingDistanceMeters && few.deliveryVehicle.currentRouteSegment.isEmpty)
        update.fields = [.location, .navigationStatus, .route, .routeEndPoint, .remainingDuration, .remainingDistance]
        let many = WireUpdateDeliveryVehicleRequest(name: name, update, header: .init())
        #expect(
            many.updateMask.paths == [
                "last_location", "navigation_status", "current_route_segment", "current_route_segment_end_point", "remaining_duration",
                "remaining_distance_meters",
            ])
        let line = try EncodedPolyline.decode(String(decoding: many.deliveryVehicle.currentRouteSegment, as: UTF8.self))
        #expect(line.count == 2 && many.deliveryVehicle.currentRouteSegmentEndPoint.latitude == 10)
        #expect(many.deliveryVehicle.navigationStatus == .enrouteToDestination)
    }

    @Test("a list of stops is sent without the values that the server adds, and an empty list is sent too")
    func stops() {
        let stop = VehicleStop(plannedLocation: place, tasks: [StopTask(taskID: "t1", durationSeconds: 60)], state: .enroute)
        let request = WireUpdateDeliveryVehicleRequest(name: name, DeliveryVehicleUpdate(fields: [.stops], stops: [stop]), header: .init())
        #expect(request.updateMask.paths == ["remaining_vehicle_journey_segments"])
        let sent = request.deliveryVehicle.remainingVehicleJourneySegments
        #expect(sent.count == 1 && sent.first?.stop.state == .enroute && sent.first?.stop.plannedLocation.point.longitude == 20)
        #expect(sent.first?.stop.tasks == [WireVehicleStop.TaskInfo.with { $0.taskID = "t1" }])
        let empty = WireUpdateDeliveryVehicleRequest(name: name, DeliveryVehicleUpdate(fields: [.stops]), header: .init())
        #expect(empty.updateMask.paths == request.updateMask.paths && empty.deliveryVehicle.remainingVehicleJourneySegments.isEmpty)
    }

    @Test("an outcome is sent with its time only if one is given")
    func outcome() throws {
        let task = try TaskName(provider: "demo", task: "t1")
        let now = WireUpdateTaskRequest(TaskOutcomeRequest(name: task, outcome: .failed), header: .init())
        #expect(now.updateMask.paths == ["task_outcome"] && now.task.taskOutcome == .failed && !now.task.hasTaskOutcomeTime)
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        let then = WireUpdateTaskRequest(TaskOutcomeRequest(name: task, outcome: .succeeded, time: time), header: .init())
        #expect(then.updateMask.paths == ["task_outcome", "task_outcome_time"] && then.task.taskOutcomeTime.seconds == 1_700_000_000)
    }

    @Test("a new vehicle is sent with only its type, position and attributes")
    func newVehicle() {
        let vehicle = DeliveryVehicle(
            name: name, type: .bicycle, lastLocation: VehicleLocation(coordinate: place), remainingDistanceMeters: 5,
            attributes: [DeliveryAttribute(key: "plate", text: "A 1")])
        let request = WireCreateDeliveryVehicleRequest(vehicle, header: .init())
        #expect(request.parent == "providers/demo" && request.deliveryVehicleID == "van" && request.deliveryVehicle.name.isEmpty)
        #expect(request.deliveryVehicle.type == .bicycle && request.deliveryVehicle.lastLocation.location.latitude == 10)
        #expect(request.deliveryVehicle.attributes.map(\.key) == ["plate"] && !request.deliveryVehicle.hasRemainingDistanceMeters)
    }
}
