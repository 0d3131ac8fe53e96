import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("Answers from the wire")
struct WireTripTests {
    private let name: TripName

    init() throws { name = try TripName(provider: "demo", trip: "t1") }

    private func place(_ latitude: Double, _ longitude: Double) -> WireLatLng {
        .with {
            $0.latitude = latitude
            $0.longitude = longitude
        }
    }

    private func terminal(_ latitude: Double, _ longitude: Double) -> WireTerminalLocation {
        .with { $0.point = place(latitude, longitude) }
    }

    @Test("a trip keeps the requested name, and its own values")
    func trip() {
        let trip = Trip(
            .with {
                $0.name = "providers/other/trips/x"
                $0.tripStatus = .enrouteToPickup
                $0.tripType = .shared
                $0.vehicleID = "car"
                $0.numberOfPassengers = 2
                $0.pickupPoint = terminal(10, 20)
                $0.route = [place(1, 2), place(3, 4)]
                $0.currentRouteSegmentVersion = .with {
                    $0.seconds = 7
                    $0.nanos = 9
                }
                $0.remainingDistanceMeters = .init(1_804)
                $0.remainingTimeToFirstWaypoint = .with {
                    $0.seconds = 90
                    $0.nanos = 500_000_000
                }
                $0.etaToFirstWaypoint.seconds = 1_935_756_000
            }, name: name)
        #expect(trip.name == name && trip.status == .enrouteToPickup && trip.type == .shared && trip.vehicleID == "car")
        #expect(trip.numberOfPassengers == 2 && trip.pickupPoint == Coordinate(latitude: 10, longitude: 20) && trip.dropoffPoint == nil)
        #expect(trip.activeRoute.coordinates == [Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 3, longitude: 4)])
        #expect(trip.activeRouteVersion == DataVersion(seconds: 7, nanoseconds: 9))
        #expect(trip.remainingDistanceMeters == 1_804 && trip.remainingTimeToNextWaypointSeconds == 90.5)
        #expect(trip.etaToNextWaypoint == Date(timeIntervalSince1970: 1_935_756_000))
    }

    @Test("an empty answer is an unknown trip without content")
    func empty() { #expect(Trip(WireTrip(), name: name) == Trip(name: name, status: .unknown, type: .unknown)) }

    @Test("impossible places, values and numbers are unknown, and the rest of the answer remains")
    func hostileTrip() {
        let trip = Trip(
            .with {
                $0.tripStatus = .UNRECOGNIZED(99)
                $0.tripType = .UNRECOGNIZED(-1)
                $0.numberOfPassengers = .min
                $0.intermediateDestinationIndex = .min
                $0.pickupPoint = terminal(.nan, 0)
                $0.dropoffPoint = terminal(91, 0)
                $0.intermediateDestinations = [
                    terminal(0, 181), terminal(1, 2), WireTerminalLocation.with { $0.point.latitude = .infinity },
                ]
                $0.route = [place(1, 2), place(.nan, 0), place(0, -.infinity)]
                $0.remainingDistanceMeters = .init(-1)
                $0.remainingTimeToFirstWaypoint.seconds = .max
                $0.etaToFirstWaypoint.seconds = .max
                $0.pickupTime.nanos = -1
                $0.dropoffTime.seconds = .min
                $0.actualPickupPoint.point = place(0, 999)
                $0.remainingWaypoints = [
                    .with { $0.location = terminal(99, 0) }, WireTripWaypoint(),
                    .with {
                        $0.location = terminal(1, 2)
                        $0.distanceMeters = .init(.min)
                    },
                ]
                $0.vehicleID = "car"
            }, name: name)
        #expect(trip.status == .unknown && trip.type == .unknown && trip.vehicleID == "car")
        #expect(trip.numberOfPassengers == 0 && trip.intermediateDestinationIndex == 0)
        #expect(trip.pickupPoint == nil && trip.dropoffPoint == nil && trip.actualPickup == nil)
        #expect(trip.intermediateDestinations == [Coordinate(latitude: 1, longitude: 2)])
        #expect(trip.activeRoute.coordinates == [Coordinate(latitude: 1, longitude: 2)])
        #expect(trip.remainingDistanceMeters == nil && trip.remainingTimeToNextWaypointSeconds == nil && trip.etaToNextWaypoint == nil)
        #expect(trip.pickupTime == nil && trip.dropoffTime == nil)
        #expect(trip.remainingWaypoints.count == 1 && trip.remainingWaypoints.first?.distanceMeters == nil)
    }

    @Test("a route is read in either form; an invalid encoding is an unknown route, and so is an endless one")
    func routes() {
        var paths = PathReader(isRemembering: true)
        let line = [Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 1.01, longitude: 2)]
        #expect(paths.line(encoded: "", list: line.map { place($0.latitude, $0.longitude) }).coordinates == line)
        for _ in 0..<2 {
            let decoded = paths.line(encoded: S2Polyline.encode(line), list: []).coordinates
            #expect(zip(decoded, line).allSatisfy { $0.distanceMeters(to: $1) < 2 } && decoded.count == 2)
        }
        for text in ["no route", "Ahb_____Dw==", String(repeating: "A", count: 100_000), String(repeating: "A", count: 10_000_000)] {
            #expect(paths.line(encoded: text, list: []).isEmpty)
        }
        let many = Array(repeating: place(1, 2), count: PathReader.maximumPointCount + 1)
        #expect(paths.line(encoded: "", list: many).isEmpty && !paths.line(encoded: "", list: many.dropLast()).isEmpty)
    }

    @Test("the best of three positions is used, with values within reasonable limits")
    func location() {
        func located(_ change: (inout WireVehicleLocation) -> Void) -> VehicleLocation? { VehicleLocation(.with(change)) }
        #expect(located { _ in } == nil)
        #expect(located { $0.location = place(.nan, 0) } == nil)
        let raw = located {
            $0.location = place(91, 0)
            $0.rawLocation = place(1, 2)
            $0.supplementalLocation = place(3, 4)
        }
        #expect(raw?.coordinate == Coordinate(latitude: 1, longitude: 2) && raw?.rawCoordinate == raw?.coordinate)
        for (heading, degrees) in [(Int32(-1), 359.0), (360, 0), (.min, 232), (.max, 127)] {
            let turned = located {
                $0.location = place(1, 2)
                $0.heading = .init(heading)
            }
            #expect(turned?.headingDegrees == degrees)
        }
        for (speed, meters) in [(-0.016, 0.0), (8.25, 8.25), (1e9, nil), (.nan, nil), (.infinity, nil)] as [(Double, Double?)] {
            let moving = located {
                $0.location = place(1, 2)
                $0.speed = .init(speed)
                $0.latlngAccuracy = .init(speed)
                $0.altitude = .init(speed * 1e9)
            }
            #expect(moving?.speedMetersPerSecond == meters, "\(speed)")
            #expect(moving?.altitudeMeters == nil && moving?.accuracyMeters.map { (0...1_000_000).contains($0) } ?? true)
        }
    }

    @Test("of two attributes with the same key, the first is used")
    func attributes() {
        func attribute(_ value: WireTripAttribute.OneOf_TripAttributeValue) -> WireTripAttribute {
            .with {
                $0.key = "k"
                $0.tripAttributeValue = value
            }
        }
        let values: [(WireTripAttribute.OneOf_TripAttributeValue, String)] = [
            (.stringValue("a"), "a"), (.boolValue(false), "false"), (.numberValue(2.5), "2.5"),
        ]
        for (value, text) in values {
            let trip = Trip(.with { $0.attributes = [attribute(value), attribute(.stringValue("later"))] }, name: name)
            #expect(trip.attributes == ["k": text])
        }
    }
}
