import FleetEngine

extension [LogEntry] {
    /// The entries with full names. Bare ids get the provider of the vehicles that have a full name. If these vehicles have several
    /// providers, or no vehicle has one, bare ids keep the Cloud project as their provider.
    var withFullNames: [LogEntry] {
        let providers = Set(
            compactMap { entry in
                if case .vehicle(let name, _) = entry.content, entry.saysName { name.provider } else { nil }
            })
        guard providers.count == 1, let provider = providers.first else { return self }
        return map { $0.named(in: provider) }
    }
}

extension LogEntry {
    /// The entry with this provider in place of a bare id's.
    fileprivate func named(in provider: String) -> LogEntry {
        guard !saysName else { return self }
        return LogEntry(time: time, content: content.named(in: provider), saysName: false)
    }
}

extension LogEntry.Content {
    fileprivate func named(in provider: String) -> Self {
        func own(_ name: TripName) -> TripName { (try? TripName(provider: provider, trip: name.trip)) ?? name }
        func own(_ name: VehicleName) -> VehicleName { (try? VehicleName(provider: provider, vehicle: name.vehicle)) ?? name }
        return switch self {
        case .trip(let name, let report): .trip(own(name), report)
        case .vehicle(let name, let report): .vehicle(own(name), report)
        case .attributes(let name, let attributes): .attributes(own(name), attributes)
        case .tripDeleted(let name): .tripDeleted(own(name))
        case .vehicleDeleted(let name): .vehicleDeleted(own(name))
        }
    }
}
