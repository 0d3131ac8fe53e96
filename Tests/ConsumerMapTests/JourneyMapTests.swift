import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing

@testable import ConsumerMap

@Suite("The map of a journey")
struct JourneyMapTests {
    private func overlays(_ journey: JourneyTracker) -> MapOverlays { JourneyMap().overlays(for: [journey]) }

    private func line(_ overlays: MapOverlays, _ role: RouteRole) -> Polyline? {
        overlays.polylines.first { $0.role == role }.map(\.route.line)
    }

    @Test("the route ahead starts at the vehicle and ends at the stop")
    func ahead() throws {
        let journey = try #require(Corner.journey(along: 400))
        let ahead = try #require(line(overlays(journey), .ahead))
        #expect(abs(ahead.lengthMeters - 1_600) < 1)
        #expect(try #require(ahead.coordinates.last).distanceMeters(to: Corner.place(1_000, 1_000)) < 0.1)
        #expect(abs(try #require(line(overlays(journey), .later)).lengthMeters - 2_000) < 1)
    }

    @Test("if another rider's stop comes first, every line ends 150 m before it")
    func foreignStop() throws {
        let journey = try #require(
            Corner.journey(along: 400) { trip in
                trip.remainingWaypoints[0].tripID = "somebody-else"
                trip.remainingWaypoints[0].type = .dropoff
            })
        #expect(journey.isNextStopForeign)
        let foreign = Corner.place(1_000, 1_000)
        let shown = overlays(journey)
        #expect(abs(try #require(line(shown, .ahead)).lengthMeters - 1_450) < 1)
        for polyline in shown.polylines {
            for place in polyline.route.coordinates { #expect(place.distanceMeters(to: foreign) > 149) }
        }
    }

    @Test("fitting a trip that is too long for the lowest zoom leaves the vehicle in view")
    func tooLongToFit() throws {
        let journey = try #require(Corner.journey(along: 400) { $0.dropoffPoint = Coordinate(latitude: -60, longitude: 140) })
        var map = JourneyMap(size: Size(columns: 60, rows: 20))
        map.fit([journey])
        #expect(map.camera.zoom == 1 && map.camera.cell(at: Corner.place(400, 0)) != nil)
    }

    @Test("without any route, straight lines join the stops")
    func preview() throws {
        let name = try #require(Corner.name())
        var trip = Trip(name: name, status: .new, pickupPoint: Corner.place(0, 0), dropoffPoint: Corner.place(3_000, 0))
        trip.intermediateDestinations = [Corner.place(1_000, 500)]
        var journey = JourneyTracker(tripName: name)
        journey.observe(trip)
        let lines = overlays(journey).polylines.map(\.route.coordinates)
        #expect(lines == [[Corner.place(0, 0), Corner.place(1_000, 500), Corner.place(3_000, 0)]])
    }

    @Test("the traffic of the route colours the part of it that is ahead")
    func traffic() throws {
        let journey = try #require(
            Corner.journey(along: 400) { trip in
                trip.activeRoute = RouteLine(
                    Corner.line,
                    traffic: [
                        TrafficStretch(startMeters: 0, endMeters: 1_000, speed: .slow),
                        TrafficStretch(startMeters: 1_000, endMeters: 2_000, speed: .trafficJam),
                    ])
            })
        let ahead = try #require(overlays(journey).polylines.first { $0.role == .ahead })
        #expect(ahead.route.traffic.map(\.speed) == [.slow, .trafficJam])
        let lengths = ahead.route.traffic.map(\.lengthMeters)
        #expect(abs(lengths[0] - 600) < 1 && abs(lengths[1] - 1_000) < 1)
    }

    @Test("traffic intervals with impossible ends do no harm")
    func hostileTraffic() throws {
        let journey = try #require(
            Corner.journey(along: 400) { trip in
                trip.activeRoute = RouteLine(
                    Corner.line,
                    traffic: [
                        TrafficStretch(startMeters: -500, endMeters: 90_000, speed: .slow),
                        TrafficStretch(startMeters: 700, endMeters: -300, speed: .normal),
                        TrafficStretch(startMeters: .nan, endMeters: .infinity, speed: .trafficJam),
                    ])
            })
        #expect(try #require(line(overlays(journey), .ahead)).lengthMeters > 1_500)
    }

    @Test("later legs show their traffic, except for the part near another rider's stop")
    func laterTraffic() throws {
        let jam = TrafficStretch(startMeters: 1_500, endMeters: 2_000, speed: .trafficJam)
        func later(owner: String) throws -> PolylineOverlay {
            let journey = try #require(
                Corner.journey(along: 400) { trip in
                    trip.remainingWaypoints[1].path = RouteLine(Corner.later, traffic: [jam])
                    trip.remainingWaypoints[1].tripID = owner
                })
            return try #require(overlays(journey).polylines.first { $0.role == .later })
        }
        func meters(_ line: PolylineOverlay) -> [Double] {
            line.route.traffic.map { $0.lengthMeters.rounded() }
        }
        let (own, foreign) = (try later(owner: ""), try later(owner: "another"))
        #expect(own.route.traffic.map(\.speed) == [.trafficJam] && meters(own) == [500])
        #expect(meters(foreign) == [500 - JourneyLines.foreignStopMeters])
    }

    @Test("markers have the right positions and labels")
    func markers() throws {
        var map = JourneyMap()
        map.labels.dropoff = "Somewhere"
        let journey = try #require(Corner.journey(along: 400))
        let markers = map.overlays(for: [journey]).markers
        #expect(markers.map(\.label) == ["Somewhere", "you", ""])
        #expect(map.consumerMarkers([journey]).map(\.type) == [.vehicle, .tripPickupPoint, .tripDropoffPoint])
        #expect(markers.last?.icon == .vehicle && markers.last?.strength == .vehicle)
    }

    @Test("keys select the stops on the way in their order, and the next one is the most important on the map")
    func stopsInOrder() throws {
        let journey = try #require(
            Corner.journey(along: 400) { $0.intermediateDestinations = [Corner.place(1_500, 1_000), Corner.place(2_000, 1_000)] })
        var map = JourneyMap()
        var seen: [ConsumerMarker] = []
        for _ in 0..<5 {
            map.selectMarker(offset: 1, in: [journey])
            seen.append(try #require(map.selectedMarker))
        }
        #expect(
            seen.map(\.type) == [.vehicle, .tripPickupPoint, .intermediateDestination, .intermediateDestination, .tripDropoffPoint])
        #expect(seen.map(\.index) == [0, 0, 0, 1, 0])
        #expect(map.overlays(for: [journey]).markers.map(\.label) == ["", "stop 2", "stop 1", "you", ""])
    }

    @Test("an old position is drawn hollow and its label says when it was seen")
    func stale() throws {
        var map = JourneyMap()
        map.labels.lastSeen = "last seen 42 s ago"
        var journey = try #require(Corner.journey(along: 400))
        journey.advance(to: Corner.now.addingTimeInterval(90))
        #expect(journey.freshness == .notLive && !journey.isLive)
        let vehicle = try #require(map.overlays(for: [journey]).markers.last)
        #expect(vehicle.icon == .vehicleNotLive)
        #expect(vehicle.label == "last seen 42 s ago")
    }

    @Test("the own position has a marker unless it is the pickup")
    func ownPosition() throws {
        var map = JourneyMap()
        let journey = try #require(Corner.journey(along: 400))
        map.ownPosition = Corner.place(1_000, 960)
        #expect(map.overlays(for: [journey]).markers.count == 3)
        map.ownPosition = Corner.place(700, 700)
        #expect(map.overlays(for: [journey]).markers.map(\.label).contains("me"))
    }

    @Test("a position far from the trip does not change the view, a near one is in the view")
    func farAway() throws {
        var map = JourneyMap(size: Size(columns: 60, rows: 20))
        let name = try #require(Corner.name())
        var journey = JourneyTracker(tripName: name)
        journey.observe(
            Trip(name: name, status: .new, pickupPoint: Corner.place(1_000, 1_000), dropoffPoint: Corner.place(3_000, 1_000)))
        map.ownPosition = Corner.place(8_000_000, 2_000_000)
        map.follow([journey])
        #expect(map.camera.zoom > 12)
        #expect(map.camera.cell(at: Corner.place(1_000, 1_000)) != nil && map.camera.cell(at: Corner.place(3_000, 1_000)) != nil)
        map.ownPosition = Corner.place(1_000, -9_000)
        map.resetCamera()
        map.follow([journey])
        #expect(map.camera.cell(at: Corner.place(1_000, -9_000)) != nil && map.camera.cell(at: Corner.place(3_000, 1_000)) != nil)
    }

    @Test("before there is a trip, the view shows the own position, or else the area of the map")
    func beforeTheFirstAnswer() throws {
        let journey = JourneyTracker(tripName: try #require(Corner.name()))
        var map = JourneyMap(size: Size(columns: 60, rows: 20))
        map.mapBounds = BoundingBox(south: 43.7, west: 7.4, north: 43.8, east: 7.5)
        map.follow([journey])
        #expect(map.camera.center.distanceMeters(to: Coordinate(latitude: 43.75, longitude: 7.45)) < 2_000)
        #expect(map.camera.zoom >= 9)
        map.ownPosition = Corner.start
        map.resetCamera()
        map.follow([journey])
        #expect(map.camera.center.distanceMeters(to: Corner.start) < 500)
    }

    @Test("the camera follows until the user moves it, and again when requested")
    func camera() throws {
        var map = JourneyMap(size: Size(columns: 60, rows: 20))
        let journey = try #require(Corner.journey(along: 400))
        map.follow([journey])
        let vehicle = try #require(journey.vehicle?.coordinate)
        #expect(map.camera.cell(at: vehicle) != nil && map.camera.cell(at: Corner.place(1_000, 1_000)) != nil)
        map.pan(columns: 500, rows: 0)
        map.follow([journey])
        #expect(!map.isAllowCameraAutoUpdate)
        #expect(map.camera.cell(at: vehicle) == nil)
        map.resetCamera()
        map.follow([journey])
        #expect(map.camera.cell(at: vehicle) != nil)
    }

    @Test("markers can be hit one cell beside them, and selected one after another by keys")
    func taps() throws {
        var map = JourneyMap(size: Size(columns: 60, rows: 20))
        let journey = try #require(Corner.journey(along: 400))
        map.follow([journey])
        let cell = try #require(map.camera.cell(at: Corner.place(1_000, 1_000)))
        #expect(map.marker(at: cell, in: [journey])?.type == .tripPickupPoint)
        #expect(map.marker(at: Position(column: cell.column + 1, row: cell.row + 1), in: [journey])?.type == .tripPickupPoint)
        #expect(map.marker(at: Position(column: cell.column + 3, row: cell.row), in: [journey]) == nil)
        var seen: [MapViewMarkerType] = []
        for _ in 0..<4 {
            map.selectMarker(offset: 1, in: [journey])
            seen += [map.selectedMarker?.type ?? .unknown]
        }
        #expect(seen == [.vehicle, .tripPickupPoint, .tripDropoffPoint, .vehicle])
        map.selectMarker(offset: -1, in: [journey])
        #expect(map.selectedMarker?.type == .tripDropoffPoint)
    }

    @Test("all cells of an icon can be hit, and nothing hits or picks a hidden marker")
    func wideAndHidden() throws {
        var map = JourneyMap(size: Size(columns: 60, rows: 20))
        let journey = try #require(Corner.journey(along: 400))
        map.follow([journey])
        let cell = try #require(map.camera.cell(at: Corner.place(1_000, 1_000)))
        var style = MarkerStyleOptions(icon: MarkerIcon(text: "PICK", ascii: "PICK"), groundAnchor: GroundAnchor(x: 0, y: 0.5))
        map.styleCoordinator.setMarkerStyleOptions(style, markerType: .tripPickupPoint)
        let drawn = try #require(
            map.overlays(for: [journey]).placedMarkers(camera: map.camera, painter: .braille).first { $0.cells.columns == 4 })
        #expect(abs(drawn.cells.column - cell.column) <= 1)
        for column in drawn.cells.column..<drawn.cells.endColumn {
            #expect(map.marker(at: Position(column: column, row: drawn.cells.row), in: [journey])?.type == .tripPickupPoint)
        }
        style.isVisible = false
        map.styleCoordinator.setMarkerStyleOptions(style, markerType: .tripPickupPoint)
        #expect(map.marker(at: cell, in: [journey]) == nil)
        #expect(map.consumerMarkers([journey]).map(\.type) == [.vehicle, .tripDropoffPoint])
        for _ in 0..<3 {
            map.selectMarker(offset: 1, in: [journey])
            #expect(map.selectedMarker?.type != .tripPickupPoint)
        }
    }

    @Test("a finished trip shows the driven route as a solid line with all its stops")
    func summary() throws {
        let name = try #require(Corner.name())
        var journey = JourneyTracker(tripName: name)
        for along in stride(from: 0.0, through: 2_000, by: 50) {
            journey.observe(Corner.trip(name), along: along, at: Corner.now.addingTimeInterval(along))
        }
        var over = Corner.trip(name, status: .complete)
        over.activeRoute = RouteLine()
        over.remainingWaypoints = []
        journey.observe(over, at: Corner.now.addingTimeInterval(2_100))
        #expect(journey.freshness == .ended && journey.vehicle == nil)
        var map = JourneyMap()
        map.isSummary = true
        let shown = map.overlays(for: [journey])
        #expect(abs(try #require(line(shown, .ahead)).lengthMeters - 2_000) < 10)
        #expect(shown.markers.count == 2)
    }

    @Test("a cancelled trip shows the driven route, but not the rest of the planned one")
    func canceled() throws {
        let name = try #require(Corner.name())
        func zoom(_ status: TripStatus) -> Double {
            var journey = JourneyTracker(tripName: name)
            for along in stride(from: 0.0, through: 500, by: 50) {
                journey.observe(Corner.trip(name), along: along, at: Corner.now.addingTimeInterval(along))
            }
            var over = Corner.trip(name, status: status)
            over.activeRoute = RouteLine()
            over.remainingWaypoints = []
            over.dropoffPoint = Coordinate(latitude: 3, longitude: 3)
            journey.observe(over, at: Corner.now.addingTimeInterval(600))
            var map = JourneyMap(size: Size(columns: 80, rows: 24))
            map.isSummary = true
            map.follow([journey])
            return map.camera.zoom
        }
        #expect(zoom(.canceled) > zoom(.complete) + 2)
    }
}

@Suite("Styles of a journey")
struct MapStyleCoordinatorTests {
    @Test("the defaults are those of the reference")
    func defaults() {
        let coordinator = MapStyleCoordinator()
        let line = coordinator.polylineStyleOptions(polylineType: .activeRoute)
        #expect(line.strokeWidth == 2 && line.isVisible && line.zIndex == 10 && !line.isGeodesic && !line.isTrafficEnabled)
        #expect(!coordinator.polylineStyleOptions(polylineType: .takenRoute).isVisible)
        let marker = coordinator.markerStyleOptions(markerType: .tripPickupPoint)
        #expect(marker.groundAnchor == .center && marker.isVisible && marker.zIndex == 0 && marker.icon == nil && !marker.isFlat)
        #expect(coordinator.markerStyleOptions(markerType: .tripVehicle).isFlat)
    }

    @Test("options are copies, and nil restores the defaults")
    func copies() {
        var coordinator = MapStyleCoordinator()
        var options = PolylineStyleOptions(strokeWidth: 8, zIndex: 1_000, isGeodesic: true)
        coordinator.setPolylineStyleOptions(options, polylineType: .remainingRoute)
        options.strokeWidth = 1
        #expect(coordinator.polylineStyleOptions(polylineType: .remainingRoute).strokeWidth == 8)
        #expect(coordinator.polylineStyleOptions(polylineType: .activeRoute).strokeWidth == 2)
        coordinator.setPolylineStyleOptions(nil, polylineType: .remainingRoute)
        #expect(coordinator.polylineStyleOptions(polylineType: .remainingRoute) == PolylineStyleOptions())
        coordinator.setMarkerStyleOptions(MarkerStyleOptions(zIndex: 100), markerType: .tripVehicle)
        #expect(coordinator.markerStyleOptions(markerType: .tripVehicle).zIndex == 100)
        coordinator.setMarkerStyleOptions(nil, markerType: .tripVehicle)
        #expect(coordinator.markerStyleOptions(markerType: .tripVehicle).isFlat)
    }

    @Test("the numbers of the types are those of the SDK")
    func numbers() {
        #expect(
            [MapViewMarkerType.unknown, .vehicle, .tripPickupPoint, .tripDropoffPoint, .intermediateDestination].map(\.rawValue) == [
                0, 1, 2, 3, 4,
            ])
        #expect(PolylineType.activeRoute.rawValue == 0 && PolylineType.remainingRoute.rawValue == 1)
        #expect(CustomizableMarkerType.unknown.rawValue == -1)
    }
}
