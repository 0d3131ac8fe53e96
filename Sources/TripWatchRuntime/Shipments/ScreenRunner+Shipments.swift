import FleetEngine
import JourneySharing
import TripWatchScreen
import TripWatchWords

/// The shipments on the screen.
extension ScreenRunner: ShipmentModelSubscriber {
    func startShipments() {
        for model in world.shipments where ending == nil { model.register(self) }
    }

    func stopShipments() {
        for model in world.shipments { model.unregister(self) }
    }

    func refresh(_ name: TaskTrackingName) {
        for model in world.shipments where model.name == name { model.refresh() }
    }

    func watch(_ name: TaskTrackingName) {
        guard let model = world.watchShipment?(name) else { return }
        world.shipments.append(model)
        model.register(self)
    }

    func stopWatching(_ name: TaskTrackingName) {
        for model in world.shipments where model.name == name { model.unregister(self) }
        world.shipments.removeAll { $0.name == name }
        world.links?.end(.shipment(name))
        world.forgetShipment(name)
        world.hooks?.forget(name)
    }

    func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate) {
        dispatch(.shipment(update, intervalSeconds: model.pollIntervalSeconds))
        guard let page = state.shipments.first(where: { $0.name == update.name }) else { return }
        world.hooks?.observe(update, page.tracker)
        if case .shipment = update.kind { world.shipmentKeeper?.note(page.tracker) }
    }
}
