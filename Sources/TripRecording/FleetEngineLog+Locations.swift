public import FleetEngine
import FleetEngineAPI
import FleetEngineWire

extension FleetEngineLog {
    /// The vehicles that have an entry with a position, in the order of their first entries.
    public var vehicleNames: [VehicleName] {
        var names: [VehicleName] = []
        var seen: Set<VehicleName> = []
        for entry in entries {
            if case .vehicle(let name, let report) = entry.content, report.wire.hasLastLocation, seen.insert(name).inserted {
                names.append(name)
            }
        }
        return names
    }

    /// Returns the positions that a vehicle sent, in the order of the log. If the vehicle never sent a position, returns the positions in
    /// the server's answers.
    public func locations(of vehicle: VehicleName) -> [VehicleLocation] {
        var (sent, shown): ([VehicleLocation], [VehicleLocation]) = ([], [])
        var paths = PathReader(isRemembering: false)
        for entry in entries {
            guard case .vehicle(vehicle, let report) = entry.content,
                let location = Vehicle(report.wire, name: vehicle, paths: &paths).lastLocation
            else { continue }
            if report.isLocationNew { sent.append(location) } else { shown.append(location) }
        }
        return sent.isEmpty ? shown : sent
    }

    /// Returns the positions of a trip's vehicle while the vehicle had the trip; empty if the log does not have the trip.
    public func locations(during trip: TripName) -> [VehicleLocation] {
        guard let recorded = recordedTrip(trip) else { return [] }
        var locations: [VehicleLocation] = []
        for moment in recorded.moments {
            guard let location = recorded.snapshot(at: moment)?.lastLocation, location != locations.last else { continue }
            locations.append(location)
        }
        return locations
    }
}
