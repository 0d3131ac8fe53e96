import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Navigation
import TerminalCanvas
import TerminalMap
import Testing
import TripTesting

@testable import ConsumerMap

/// A server with one trip.
private struct OneTrip: ConsumerClient {
    let trip: Trip

    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip { trip }
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle { Vehicle(name: name) }
    func renewToken(for name: TripName) async -> Bool { false }
}

@MainActor
private final class Listener: MapViewDelegate {
    var initialized = 0
    var tapped: [MapViewMarkerType] = []
    var handles = false

    func mapViewDidInitialize(_ mapView: MapView) { initialized += 1 }

    func mapView(_ mapView: MapView, didTapConsumerMarker marker: ConsumerMarker, markerType: MapViewMarkerType) -> Bool {
        tapped.append(markerType)
        return handles
    }
}

@Suite("The SDK's map view")
@MainActor
struct MapViewTests {
    /// A clock that stands still, so waits never end.
    private let clock = ManualTimeSource()
    private let whole = Rectangle(column: 0, row: 0, columns: 60, rows: 20)

    private func model() throws -> TripModel {
        let name = try #require(Corner.name())
        var trip = Corner.trip(name)
        trip.lastLocation = VehicleLocation(
            coordinate: Corner.place(400, 0), speedMetersPerSecond: 0, updateTime: clock.now(), serverTime: clock.now())
        return TripService(client: OneTrip(trip: trip), time: clock, seed: 1).tripModel(for: name)
    }

    /// Returns a map view with a session that has received its first answer.
    private func shown() async throws -> (MapView, JourneySharingSession, TripModel) {
        let model = try model()
        let session = JourneySharingSession(tripModel: model, time: clock)
        let view = MapView()
        view.show(session)
        while model.currentTrip == nil, !Task.isCancelled { await Task.yield() }
        return (view, session, model)
    }

    @Test("showing a session listens to its model, hiding it stops that")
    func showAndHide() async throws {
        let (view, session, model) = try await shown()
        #expect(model.state == .active)
        #expect(view.activeSessions.count == 1)
        view.show(session)
        #expect(view.activeSessions.count == 1)
        view.hide(session)
        #expect(view.activeSessions.isEmpty)
        #expect(model.state == .inactive)
        view.show(session)
        view.hideAllSessions()
        #expect(model.state == .inactive)
    }

    @Test("the first frame initializes the map once and shows the journey")
    func draws() async throws {
        let (view, _, _) = try await shown()
        let listener = Listener()
        view.delegate = listener
        var canvas = Canvas(size: Size(columns: 60, rows: 20))
        let frame = view.draw(into: &canvas, at: whole, now: clock.now())
        view.draw(into: &canvas, at: whole, now: clock.now())
        #expect(listener.initialized == 1)
        #expect(frame.markers.count == 2)
        #expect(canvas.text().contains("you"))
        view.hideAllSessions()
    }

    @Test("a marker customizer has the last word on the drawing of a marker")
    func customizer() async throws {
        let (view, _, _) = try await shown()
        view.markerCustomizer = { parameters in
            var options = parameters.defaultOptions
            options.isVisible = parameters.marker.type != .tripPickupPoint
            return options
        }
        var canvas = Canvas(size: Size(columns: 60, rows: 20))
        let frame = view.draw(into: &canvas, at: whole, now: clock.now())
        #expect(frame.markers.count == 1 && !canvas.text().contains("you"))
        let cell = try #require(view.map.camera.cell(at: Corner.place(1_000, 1_000)))
        #expect(!view.tap(at: cell))
        for type in [MapViewMarkerType.vehicle, .tripDropoffPoint, .vehicle] {
            view.map.selectMarker(offset: 1, in: view.activeSessions.map { $0.journey(at: clock.now()) })
            #expect(view.map.selectedMarker?.type == type)
        }
        view.markerCustomizer = nil
        view.draw(into: &canvas, at: whole, now: clock.now())
        #expect(view.tap(at: cell))
        view.hideAllSessions()
    }

    @Test("a tap reports the marker's type, and the map moves there unless the tap was handled")
    func taps() async throws {
        let (view, _, _) = try await shown()
        let listener = Listener()
        view.delegate = listener
        var canvas = Canvas(size: Size(columns: 60, rows: 20))
        view.draw(into: &canvas, at: whole, now: clock.now())
        let cell = try #require(view.map.camera.cell(at: Corner.place(1_000, 1_000)))
        #expect(!view.tap(at: Position(column: 0, row: 19)))
        listener.handles = true
        #expect(view.tap(at: cell))
        #expect(view.isAllowCameraAutoUpdate)
        listener.handles = false
        #expect(view.tap(at: cell))
        #expect(listener.tapped == [.tripPickupPoint, .tripPickupPoint])
        #expect(!view.isAllowCameraAutoUpdate)
        view.hideAllSessions()
    }

    @Test("the location button moves the map to the own position")
    func myLocation() async throws {
        let (view, _, _) = try await shown()
        view.map.ownPosition = Corner.place(5_000, 5_000)
        var canvas = Canvas(size: Size(columns: 60, rows: 20))
        view.draw(into: &canvas, at: whole, now: clock.now())
        view.showMyLocation()
        #expect(view.map.camera.center.distanceMeters(to: Corner.place(5_000, 5_000)) < 50)
        view.hideAllSessions()
    }

    @Test("the places of a trip to be booked are shown and fitted into the view until the trip is known")
    func chosenPlaces() async throws {
        let view = MapView()
        let canvasSize = Size(columns: 60, rows: 20)
        var canvas = Canvas(size: canvasSize)
        #expect(view.draw(into: &canvas, at: whole, now: clock.now()).markers.isEmpty)
        view.pickupLocation = Corner.place(0, 0)
        view.draw(into: &canvas, at: whole, now: clock.now())
        view.dropoffLocation = Corner.place(2_000, 500)
        canvas = Canvas(size: canvasSize)
        let frame = view.draw(into: &canvas, at: whole, now: clock.now())
        #expect(frame.markers.count == 2 && canvas.text().contains("you"))
        let listener = Listener()
        view.delegate = listener
        for place in [Corner.place(2_000, 500), Corner.place(0, 0)] {
            let cell = try #require(view.map.camera.cell(at: place))
            #expect(view.tap(at: cell))
            view.resetCamera()
            view.draw(into: &canvas, at: whole, now: clock.now())
        }
        #expect(listener.tapped == [.tripDropoffPoint, .tripPickupPoint])

        let model = try model()
        view.show(JourneySharingSession(tripModel: model, time: clock))
        while model.currentTrip == nil, !Task.isCancelled { await Task.yield() }
        view.draw(into: &canvas, at: whole, now: clock.now())
        #expect(view.map.consumerMarkers(view.activeSessions.map { $0.journey(at: clock.now()) }).allSatisfy { $0.trip != nil })
        view.hideAllSessions()
    }

    @Test("a suggested lighting sets the colours of the map")
    func lighting() {
        let view = MapView()
        let own = MapStyle()
        view.scene.style = own
        #expect(view.lightingMode == nil && view.scene.style == own)
        view.lightingMode = .normal
        #expect(view.scene.style == .light)
        view.lightingMode = .lowLight
        #expect(view.scene.style == .dark)
        view.lightingMode = nil
        #expect(view.scene.style == .dark)
    }
}
