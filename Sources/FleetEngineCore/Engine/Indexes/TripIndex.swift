import FleetEngine
import FleetEngineAPI
import FoundationEssentials

/// A trip's properties that are compared in searches. They are separate from the trip, so that a search can scan many trips quickly.
struct TripRow: Equatable, Sendable {
    let name: TripName
    let updatedAt: Date
    let isFinal: Bool

    init(_ record: TripRecord) {
        name = record.name
        updatedAt = record.updatedAt
        isFinal = record.status.isFinal
    }
}

/// An index of all trips by provider and by vehicle, because searches select trips by one of these.
struct TripIndex: Equatable, Sendable {
    private struct Vehicle: Hashable, Sendable {
        let provider: String
        /// The vehicle's id in the trip. In a finished trip, this id may be invalid.
        let id: String
    }

    private var byProvider: [String: SerialList<TripRow>] = [:]
    /// The trips of each vehicle, including finished ones.
    private var byVehicle: [Vehicle: SerialList<TripRow>] = [:]

    /// Returns the rows of a vehicle's trips. For an empty vehicle id, returns the rows of all the provider's trips.
    func rows(provider: String, vehicleID: String) -> SerialList<TripRow> {
        (vehicleID.isEmpty ? byProvider[provider] : byVehicle[Vehicle(provider: provider, id: vehicleID)]) ?? SerialList()
    }

    /// Returns the names of the trips that satisfy a condition. The trips of each provider are in the order of their serials.
    func names(where condition: (TripRow) -> Bool) -> [TripName] {
        byProvider.values.flatMap { rows in rows.places().compactMap { condition(rows[$0]) ? rows[$0].name : nil } }
    }

    /// - Parameter old: the trip that is replaced; nil for a new one.
    mutating func put(_ record: TripRecord, insteadOf old: TripRecord?) {
        if let old, old.serial != record.serial || old.trip.vehicleID != record.trip.vehicleID { remove(old) }
        let row = TripRow(record)
        byProvider[record.name.provider, default: SerialList()].put(row, record.serial)
        guard !record.trip.vehicleID.isEmpty else { return }
        byVehicle[Vehicle(provider: record.name.provider, id: record.trip.vehicleID), default: SerialList()].put(row, record.serial)
    }

    mutating func remove(_ record: TripRecord) {
        let provider = record.name.provider
        byProvider[provider]?.remove(record.serial)
        if byProvider[provider]?.count == 0 { byProvider[provider] = nil }
        let vehicle = Vehicle(provider: provider, id: record.trip.vehicleID)
        byVehicle[vehicle]?.remove(record.serial)
        if byVehicle[vehicle]?.count == 0 { byVehicle[vehicle] = nil }
    }
}
