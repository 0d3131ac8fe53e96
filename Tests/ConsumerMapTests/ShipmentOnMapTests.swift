import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing

@testable import ConsumerMap

@Suite("A shipment on the map")
struct ShipmentOnMapTests {
    /// Returns the map of an open shipment, `seconds` after the server's answer. The shipment's destination is the end of `Corner`'s line.
    private func made(after seconds: Double = 0, _ change: (inout TaskTrackingInfo) -> Void) throws -> JourneyMap {
        let name = try TaskTrackingName("providers/nobody/taskTrackingInfo/P-1")
        var shipment = TaskTrackingInfo(name: name, state: .open, plannedLocation: Corner.place(1_000, 1_000))
        change(&shipment)
        var tracker = ShipmentTracker(name: name)
        let fields = ShipmentFields(from: nil, to: shipment)
        tracker.observe(ShipmentUpdate(name: name, time: Corner.now, kind: .shipment(shipment, changed: fields)))
        tracker.tick(now: Corner.now.addingTimeInterval(seconds))
        var map = JourneyMap(size: Size(columns: 60, rows: 20))
        map.shipment = ShipmentOnMap(tracker)
        map.follow([])
        return map
    }

    private func share(_ shipment: inout TaskTrackingInfo) {
        shipment.vehicleLocation = VehicleLocation(coordinate: Corner.start, updateTime: Corner.now, serverTime: Corner.now)
        shipment.route = Corner.line
    }

    @Test("the delivery place alone is in the middle and is labelled as you")
    func place() throws {
        let map = try made { _ in }
        #expect(map.overlays(for: []).markers.map(\.label) == ["you"] && map.overlays(for: []).polylines.isEmpty)
        #expect(map.camera.center.distanceMeters(to: Corner.place(1_000, 1_000)) < 100)
        #expect(map.isAtPlace)
    }

    @Test("the van and its route are shown while they are shared, and all of them fit into the view")
    func shared() throws {
        let map = try made(share)
        let overlays = map.overlays(for: [])
        #expect(overlays.markers.map(\.icon) == [.pickup, .vehicle])
        #expect(overlays.polylines.map(\.route.coordinates) == [Corner.line.coordinates])
        for place in Corner.line.coordinates { #expect(map.camera.cell(at: place) != nil) }
        #expect(map.consumerMarkers([]).map(\.type) == [.vehicle, .tripPickupPoint])
    }

    @Test("an old position is not shown as current")
    func old() throws {
        let map = try made(after: 300, share)
        #expect(map.overlays(for: []).markers.map(\.icon) == [.pickup, .vehicleNotLive])
    }

    @Test("a shipment that is over shows only its delivery place", arguments: [DeliveryTaskState.closed, .open])
    func over(state: DeliveryTaskState) throws {
        let map = try made {
            share(&$0)
            $0.state = state
            if state == .open { $0.outcome = .succeeded }
        }
        #expect(map.overlays(for: []).markers.map(\.label) == ["you"] && map.overlays(for: []).polylines.isEmpty)
    }
}
