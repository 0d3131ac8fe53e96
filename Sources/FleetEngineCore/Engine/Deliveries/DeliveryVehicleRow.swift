import FleetEngine
import Geo

/// The delivery vehicle's properties that are compared when vehicles are listed. They are separate from the record with its stops, so that
/// a list can scan many vehicles quickly.
package struct DeliveryVehicleRow: Equatable, Sendable {
    let name: DeliveryVehicleName
    let attributes: [DeliveryAttribute]
    /// The last position; nil before the first report.
    let position: Coordinate?

    init(_ record: DeliveryVehicleRecord) {
        name = record.name
        attributes = record.attributes
        position = record.position
    }
}
