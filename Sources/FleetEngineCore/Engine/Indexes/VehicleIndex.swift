import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// A vehicle's properties that are compared in searches. They are separate from the vehicle, so that a search can scan many vehicles
/// quickly.
package struct VehicleRow: Equatable, Sendable {
    /// The properties that are stored in the row itself, so that a search reads no other memory to compare them.
    struct Facts: Equatable, Sendable {
        var state: Int
        var category: Int
        var tripTypes: TripTypes
        var maximumCapacity: Int32
        var isOnTrip: Bool
        var backToBackEnabled: Bool
        /// The vehicle's position; nil without one.
        var position: Coordinate?
        /// The time of the position.
        var locatedAt: Date
    }

    let name: VehicleName
    let facts: Facts
    let attributes: [WireVehicleAttribute]

    init(_ record: VehicleRecord) {
        let vehicle = record.vehicle
        name = record.name
        facts = Facts(
            state: vehicle.vehicleState.rawValue, category: vehicle.vehicleType.category.rawValue,
            tripTypes: TripTypes(vehicle.supportedTripTypes), maximumCapacity: vehicle.maximumCapacity,
            isOnTrip: !record.currentTrips.isEmpty, backToBackEnabled: vehicle.backToBackEnabled, position: record.position,
            locatedAt: vehicle.lastLocation.serverTime.moment)
        attributes = vehicle.attributes
    }
}

extension VehicleRow.Facts {
    /// Whether the position is at most `seconds` old.
    func isFresh(within seconds: Double, _ now: Date) -> Bool { position != nil && now.timeIntervalSince(locatedAt) <= seconds }
}

/// Types of trips.
struct TripTypes: OptionSet, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ types: [WireTripType]) {
        rawValue = types.reduce(0) { (0..<64).contains($1.rawValue) ? $0 | 1 << UInt64($1.rawValue) : $0 }
    }
}

/// The vehicles of each provider, both in the order of their serials and by the grid cell of their positions.
package struct VehicleIndex: Equatable, Sendable {
    package struct Fleet: Equatable, Sendable {
        package fileprivate(set) var all = SerialList<VehicleRow>()
        /// The vehicles with a position, by cell.
        package fileprivate(set) var cells: [PlaceCell: SerialList<VehicleRow>] = [:]
    }

    private var fleets: [String: Fleet] = [:]

    package func fleet(of provider: String) -> Fleet { fleets[provider] ?? Fleet() }

    /// - Parameter old: the vehicle that is replaced; nil for a new one.
    mutating func put(_ record: VehicleRecord, insteadOf old: VehicleRecord?) {
        if let old, old.serial != record.serial || PlaceCell(old) != PlaceCell(record) { remove(old) }
        let row = VehicleRow(record)
        let provider = record.name.provider
        fleets[provider, default: Fleet()].all.put(row, record.serial)
        if let cell = PlaceCell(record) { fleets[provider]?.cells[cell, default: SerialList()].put(row, record.serial) }
    }

    mutating func remove(_ record: VehicleRecord) {
        let provider = record.name.provider
        fleets[provider]?.all.remove(record.serial)
        if let cell = PlaceCell(record) {
            fleets[provider]?.cells[cell]?.remove(record.serial)
            if fleets[provider]?.cells[cell]?.count == 0 { fleets[provider]?.cells[cell] = nil }
        }
        if fleets[provider]?.all.count == 0 { fleets[provider] = nil }
    }
}

extension PlaceCell {
    fileprivate init?(_ record: VehicleRecord) {
        guard let position = record.position else { return nil }
        self.init(position)
    }
}
