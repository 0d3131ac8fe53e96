import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("Tasks, delivery vehicles and shipments on the wire")
struct WireDeliveryTests {
    private static let depot = Coordinate(latitude: 48.2, longitude: 16.37)
    private static let door = Coordinate(latitude: 48.21, longitude: 16.4)
    private static let noon = Date(timeIntervalSince1970: 1_935_756_000)
    private static let window = TimeWindow(start: noon, end: noon.addingTimeInterval(7_200))

    private static let location = VehicleLocation(
        coordinate: depot, headingDegrees: 90, speedMetersPerSecond: 7.5, accuracyMeters: 4, updateTime: noon, rawCoordinate: depot,
        rawLocationTime: noon, serverTime: noon.addingTimeInterval(1.5))

    private static let segments = [
        VehicleJourneySegment(
            stop: VehicleStop(
                plannedLocation: depot, tasks: [StopTask(taskID: "t1", durationSeconds: 60, targetTimeWindow: window)], state: .enroute),
            drivingDistanceMeters: 1_200, drivingDurationSeconds: 266.25, path: Polyline([depot, door])),
        VehicleJourneySegment(stop: VehicleStop(plannedLocation: door, tasks: [StopTask(taskID: "t2"), StopTask(taskID: "t3")])),
    ]

    private static let attributes = [
        DeliveryAttribute(key: "size", text: "M"), DeliveryAttribute(key: "fragile", value: .truth(true)),
        DeliveryAttribute(key: "kilos", value: .number(2.5)), DeliveryAttribute(key: "note", text: ""),
    ]

    private static func task() throws -> DeliveryTask {
        DeliveryTask(
            name: try TaskName(provider: "demo", task: "t1"), type: .delivery, state: .open, trackingID: "P-1", vehicleID: "van",
            plannedLocation: door, durationSeconds: 90.5,
            journeySharing: TaskJourneySharing(remainingSegments: segments, lastLocation: location, isLastLocationSnappable: true),
            outcome: .succeeded, outcomeTime: noon, outcomeLocation: depot, outcomeLocationSource: .lastVehicleLocation,
            trackingViewConfig: TaskTrackingViewConfig(
                route: .remainingStops(atMost: 3), arrivalTime: .remainingMeters(atMost: 5_000), completionTime: .always,
                remainingDistance: .secondsToArrival(atMost: 600), remainingStopCount: .never),
            targetTimeWindow: window, attributes: attributes)
    }

    private static func vehicle() throws -> DeliveryVehicle {
        DeliveryVehicle(
            name: try DeliveryVehicleName(provider: "demo", vehicle: "van"), type: .bicycle, lastLocation: location,
            navigationStatus: .enrouteToDestination, currentRouteEndPoint: door, remainingDistanceMeters: 48,
            remainingDurationSeconds: 265.5, remainingSegments: segments, attributes: attributes)
    }

    private static func shipment() throws -> TaskTrackingInfo {
        TaskTrackingInfo(
            name: try TaskTrackingName(provider: "demo", trackingID: "P-1"), state: .closed, outcome: .failed, outcomeTime: noon,
            plannedLocation: door, targetTimeWindow: window, attributes: attributes, vehicleLocation: location,
            route: Polyline([depot, door]), remainingStopCount: 2, remainingDistanceMeters: 3_400, estimatedArrivalTime: noon,
            estimatedCompletionTime: noon.addingTimeInterval(60))
    }

    @Test("values that are sent are read again, as bytes and as JSON")
    func roundTrip() throws {
        let task = try Self.task(), vehicle = try Self.vehicle(), shipment = try Self.shipment()
        #expect(DeliveryTask(try WireTask(serializedBytes: task.wire.serializedBytes() as [UInt8]), name: task.name) == task)
        #expect(DeliveryTask(try WireTask(jsonString: task.wire.jsonString()), name: task.name) == task)
        let vehicleBytes: [UInt8] = try vehicle.wire.serializedBytes()
        #expect(DeliveryVehicle(try WireDeliveryVehicle(serializedBytes: vehicleBytes), name: vehicle.name) == vehicle)
        #expect(DeliveryVehicle(try WireDeliveryVehicle(jsonString: vehicle.wire.jsonString()), name: vehicle.name) == vehicle)
        let shipmentBytes: [UInt8] = try shipment.wire.serializedBytes()
        #expect(TaskTrackingInfo(try WireTaskTrackingInfo(serializedBytes: shipmentBytes), name: shipment.name) == shipment)
        #expect(TaskTrackingInfo(try WireTaskTrackingInfo(jsonString: shipment.wire.jsonString()), name: shipment.name) == shipment)
    }

    @Test("every value has its name in JSON, for reading and writing")
    func kinds() throws {
        for type in DeliveryTaskType.allCases where type != .unknown {
            #expect(DeliveryTaskType(try WireTask(jsonString: "{\"type\":\"\(type.rawValue)\"}").type) == type)
            #expect(DeliveryTaskType(type.wire) == type)
        }
        for state in DeliveryTaskState.allCases where state != .unknown {
            #expect(try WireTask(jsonString: "{\"state\":\"\(state.rawValue)\"}").state == state.wire)
            #expect(DeliveryTaskState(state.wire) == state)
        }
        for outcome in DeliveryTaskOutcome.allCases {
            #expect(try WireTask(jsonString: "{\"taskOutcome\":\"\(outcome.rawValue)\"}").taskOutcome == outcome.wire)
            #expect(DeliveryTaskOutcome(outcome.wire) == outcome)
        }
        for source in TaskOutcomeLocationSource.allCases {
            let json = "{\"taskOutcomeLocationSource\":\"\(source.rawValue)\"}"
            #expect(try WireTask(jsonString: json).taskOutcomeLocationSource == source.wire)
            #expect(TaskOutcomeLocationSource(source.wire) == source)
        }
        for state in VehicleStopState.allCases where state != .unknown {
            #expect(try WireVehicleStop(jsonString: "{\"state\":\"\(state.rawValue)\"}").state == state.wire)
            #expect(VehicleStopState(state.wire) == state)
        }
        for type in DeliveryVehicleType.allCases where type != .unknown {
            #expect(try WireDeliveryVehicle(jsonString: "{\"type\":\"\(type.rawValue)\"}").type == type.wire)
            #expect(DeliveryVehicleType(type.wire) == type)
        }
    }

    @Test("a driver's route is read in both encodings, and any other text gives no route")
    func routes() throws {
        let name = try DeliveryVehicleName(provider: "demo", vehicle: "van"), way = [Self.depot, Self.door]
        for text in [S2Polyline.encode(way), EncodedPolyline.encode(way)] {
            let wire = WireDeliveryVehicle.with { $0.currentRouteSegment = Data(text.utf8) }
            let read = DeliveryVehicle(wire, name: name).currentRoute.coordinates
            #expect(zip(read, way).allSatisfy { $0.distanceMeters(to: $1) < 5 } && read.count == 2)
            #expect(try wire.jsonString() == "{\"currentRouteSegment\":\"\(Data(text.utf8).base64EncodedString())\"}")
        }
        let broken = WireDeliveryVehicle.with { $0.currentRouteSegment = Data([0xFF, 0, 0x7F, 0xC0]) }
        #expect(DeliveryVehicle(broken, name: name).currentRoute.isEmpty)
        var own = try Self.vehicle()
        own.currentRoute = Polyline(way)
        #expect(DeliveryVehicle(own.wire, name: name).currentRoute.coordinates.count == 2)
    }

    @Test("empty answers are unknown and contain nothing")
    func empty() throws {
        let task = try TaskName(provider: "demo", task: "t"), vehicle = try DeliveryVehicleName(provider: "demo", vehicle: "v")
        let tracking = try TaskTrackingName(provider: "demo", trackingID: "p")
        #expect(DeliveryTask(WireTask(), name: task) == DeliveryTask(name: task))
        #expect(DeliveryVehicle(WireDeliveryVehicle(), name: vehicle) == DeliveryVehicle(name: vehicle))
        #expect(TaskTrackingInfo(WireTaskTrackingInfo(), name: tracking) == TaskTrackingInfo(name: tracking))
    }

    @Test("a request for a shipment has its full name")
    func request() throws {
        let request = WireGetTaskTrackingInfoRequest(
            try TaskTrackingName(provider: "demo", trackingID: "P-1"), header: .with { $0.languageCode = "de" })
        #expect(request.name == "providers/demo/taskTrackingInfo/P-1" && request.header.languageCode == "de")
    }
}

@Suite("Hostile answers about deliveries")
struct HostileDeliveryTests {
    private func place(_ latitude: Double, _ longitude: Double) -> WireLatLng {
        .with {
            $0.latitude = latitude
            $0.longitude = longitude
        }
    }

    @Test("impossible values of a shipment count as not shared, and the rest remains")
    func shipment() throws {
        let name = try TaskTrackingName(provider: "demo", trackingID: "P-1")
        let shipment = TaskTrackingInfo(
            .with {
                $0.name = "providers/other/taskTrackingInfo/x"
                $0.state = .UNRECOGNIZED(99)
                $0.taskOutcome = .UNRECOGNIZED(-1)
                $0.remainingStopCount = .init(-1)
                $0.remainingDrivingDistanceMeters = .init(.min)
                $0.estimatedArrivalTime.seconds = .max
                $0.estimatedTaskCompletionTime.nanos = -1
                $0.taskOutcomeTime.seconds = .min
                $0.plannedLocation.point = place(91, 0)
                $0.vehicleLocation.location = place(.nan, 0)
                $0.routePolylinePoints = [place(0, .infinity)]
                $0.targetTimeWindow.startTime.seconds = 7_200
                $0.targetTimeWindow.endTime.seconds = 3_600
                $0.attributes = [
                    .with {
                        $0.key = "a"
                        $0.numberValue = .nan
                    },
                    .with { $0.key = "b" },
                    .with {
                        $0.key = "b"
                        $0.stringValue = "second"
                    },
                ]
            }, name: name)
        #expect(shipment == TaskTrackingInfo(name: name, attributes: [DeliveryAttribute(key: "b", text: "")]))
    }

    @Test("a count of stops of 0 is shared", arguments: [(Int32(0), 0), (Int32.max, 2_147_483_647)])
    func stopCounts(sent: Int32, read: Int) throws {
        let name = try TaskTrackingName(provider: "demo", trackingID: "P-1")
        let shipment = TaskTrackingInfo(.with { $0.remainingStopCount = .init(sent) }, name: name)
        #expect(shipment.remainingStopCount == read)
    }

    @Test("a stop without a place is left out, and an impossible duration is unknown")
    func vehicle() throws {
        let name = try DeliveryVehicleName(provider: "demo", vehicle: "van")
        let vehicle = DeliveryVehicle(
            .with {
                $0.type = .UNRECOGNIZED(9)
                $0.navigationStatus = .UNRECOGNIZED(9)
                $0.remainingDuration.seconds = .max
                $0.remainingDistanceMeters = .init(-5)
                $0.currentRouteSegmentEndPoint = place(0, 181)
                $0.remainingVehicleJourneySegments = [
                    WireVehicleJourneySegment(), .with { $0.stop.plannedLocation.point = place(-91, 0) },
                    .with {
                        $0.stop.plannedLocation.point = place(1, 2)
                        $0.stop.state = .UNRECOGNIZED(7)
                        $0.stop.tasks = [.with { $0.taskDuration.seconds = -1 }]
                        $0.drivingDuration.seconds = -1
                        $0.drivingDistanceMeters = .init(.min)
                        $0.path = [place(.nan, 0)]
                    },
                ]
            }, name: name)
        let stop = VehicleStop(plannedLocation: Coordinate(latitude: 1, longitude: 2), tasks: [StopTask(taskID: "")], state: .unknown)
        #expect(vehicle == DeliveryVehicle(name: name, remainingSegments: [VehicleJourneySegment(stop: stop)]))
    }

    @Test("a visibility option without content is left out")
    func visibility() throws {
        let options: [(String, TrackingVisibility?)] = [
            ("{\"always\":false}", nil), ("{\"never\":false}", nil), ("{}", nil), ("{\"always\":true}", .always),
            ("{\"durationUntilEstimatedArrivalTimeThreshold\":\"-1s\"}", nil),
            ("{\"durationUntilEstimatedArrivalTimeThreshold\":\"90.5s\"}", .secondsToArrival(atMost: 90.5)),
            ("{\"remainingStopCountThreshold\":-1}", .remainingStops(atMost: -1)),
        ]
        for (json, expected) in options {
            #expect(TrackingVisibility(try .init(jsonString: json)) == expected, "\(json)")
        }
    }

    @Test(
        "values that no message can hold are clamped before sending",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func oddFigures(figure: Double) throws {
        var vehicle = DeliveryVehicle(name: try DeliveryVehicleName(provider: "demo", vehicle: "van"))
        vehicle.remainingDistanceMeters = figure
        vehicle.remainingDurationSeconds = figure
        #expect(vehicle.wire.remainingDistanceMeters.value == (figure.isNaN ? 0 : figure < 0 ? .min : .max))
        #expect(abs(vehicle.wire.remainingDuration.seconds) <= 315_576_000_000)
        #expect(TrackingVisibility.secondsToArrival(atMost: figure).wire.visibilityOption != nil)
        #expect(TrackingVisibility.remainingStops(atMost: .max).wire.remainingStopCountThreshold == .max)
    }
}
