import FleetEngine

extension [LogEntry] {
    /// The entries with full names. An entry with a bare id gets the provider that is in the full names of the vehicles. If these names
    /// have several providers, or no vehicle has a full name, the Cloud project is kept as the provider.
    var withFullNames: [LogEntry] {
        let providers = Set(
            compactMap { entry in
                switch entry.content {
                case .vehicle(let name, _) where entry.saysName: name.provider
                case .deliveryVehicle(let name, _) where entry.saysName: name.provider
                default: nil
                }
            })
        guard providers.count == 1, let provider = providers.first else { return self }
        return map { $0.named(in: provider) }
    }
}

extension LogEntry {
    /// Returns the entry with this provider in its name, if the log had only a bare id.
    fileprivate func named(in provider: String) -> LogEntry {
        guard !saysName else { return self }
        return LogEntry(time: time, content: content.named(in: provider), saysName: false)
    }
}

extension LogEntry.Content {
    fileprivate func named(in provider: String) -> Self {
        func own(_ name: TripName) -> TripName { (try? TripName(provider: provider, trip: name.trip)) ?? name }
        func own(_ name: VehicleName) -> VehicleName { (try? VehicleName(provider: provider, vehicle: name.vehicle)) ?? name }
        func own(_ name: TaskName) -> TaskName { (try? TaskName(provider: provider, task: name.task)) ?? name }
        func own(_ name: DeliveryVehicleName) -> DeliveryVehicleName {
            (try? DeliveryVehicleName(provider: provider, vehicle: name.vehicle)) ?? name
        }
        func own(_ report: TaskReport) -> TaskReport {
            TaskReport(name: own(report.name), wire: report.wire, isWhole: report.isWhole)
        }
        return switch self {
        case .trip(let name, let report): .trip(own(name), report)
        case .vehicle(let name, let report): .vehicle(own(name), report)
        case .attributes(let name, let attributes): .attributes(own(name), attributes)
        case .tripDeleted(let name): .tripDeleted(own(name))
        case .vehicleDeleted(let name): .vehicleDeleted(own(name))
        case .tasks(let reports): .tasks(reports.map(own))
        case .taskDeleted(let name): .taskDeleted(own(name))
        case .deliveryVehicle(let name, let report): .deliveryVehicle(own(name), report)
        case .deliveryVehicleDeleted(let name): .deliveryVehicleDeleted(own(name))
        }
    }
}
