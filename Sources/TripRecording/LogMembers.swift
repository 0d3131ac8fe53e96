import FleetEngine
import FleetEngineAPI

/// The trips and vehicles of a log, without their data. They show which entries a trip's recording needs, so that the entries of other
/// trips need not be decoded again.
struct LogMembers {
    /// Largest number of pairs of a trip and a vehicle. With more pairs, every vehicle counts as a vehicle of every trip.
    private static let mostPairs = 250_000

    /// A number for each trip or vehicle name in the log.
    private var numbers: [String: Int] = [:]
    /// The numbers of all names with the same id. These names have different providers.
    private var trips: [String: Set<Int>] = [:]
    private var vehicles: [String: Set<Int>] = [:]
    /// The ids of the vehicles that a trip had, by the trip's id.
    private var vehiclesOfTrips: [String: Set<String>] = [:]
    private var pairCount = 0
    private var providers: Set<String> = []

    /// The provider in the full names of the vehicles, which is used for entries with a bare id. Nil if the vehicles have several
    /// providers, or if no vehicle has a full name. Entries with a bare id then keep the Cloud project as their provider.
    var provider: String? { providers.count == 1 ? providers.first : nil }

    /// Adds the trip or vehicle of an entry.
    /// - Returns: the number of the trip or vehicle; nil for an entry about tasks or a delivery vehicle.
    mutating func add(_ entry: LogEntry) -> Int? {
        if providers.count < 2, let provider = entry.vehicleProvider { providers.insert(provider) }
        switch entry.content {
        case .trip(let name, let report):
            if !report.wire.vehicleID.isEmpty { add(report.wire.vehicleID, to: name.trip) }
            return number(of: name)
        case .tripDeleted(let name): return number(of: name)
        case .vehicle(let name, let report):
            for trip in report.currentTrips ?? [] { add(name.vehicle, to: trip) }
            return number(of: name)
        case .attributes(let name, _), .vehicleDeleted(let name): return number(of: name)
        case .tasks, .taskDeleted, .deliveryVehicle, .deliveryVehicleDeleted: return nil
        }
    }

    private mutating func add(_ vehicle: String, to trip: String) {
        guard pairCount < Self.mostPairs, vehiclesOfTrips[trip, default: []].insert(vehicle).inserted else { return }
        pairCount += 1
    }

    private mutating func number(of name: TripName) -> Int {
        let number = number(of: name.description)
        trips[name.trip, default: []].insert(number)
        return number
    }

    private mutating func number(of name: VehicleName) -> Int {
        let number = number(of: name.description)
        vehicles[name.vehicle, default: []].insert(number)
        return number
    }

    private mutating func number(of name: String) -> Int {
        let number = numbers[name] ?? numbers.count
        numbers[name] = number
        return number
    }

    /// Returns the numbers of a trip and of all vehicles that it had, regardless of the provider.
    func numbers(for trip: TripName) -> Set<Int> {
        let own = trips[trip.trip] ?? []
        guard pairCount < Self.mostPairs else { return vehicles.values.reduce(own) { $0.union($1) } }
        return (vehiclesOfTrips[trip.trip] ?? []).reduce(own) { $0.union(vehicles[$1] ?? []) }
    }
}
