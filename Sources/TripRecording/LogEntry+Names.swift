import FleetEngine

extension LogEntry {
    /// The provider in the full name of the vehicle that the entry is about; nil for an entry with a bare id or about something else.
    var vehicleProvider: String? {
        guard saysName else { return nil }
        return switch content {
        case .vehicle(let name, _): name.provider
        case .deliveryVehicle(let name, _): name.provider
        default: nil
        }
    }

    /// Returns the entry. If the log gives only a bare id, this provider becomes part of the name.
    func named(in provider: String) -> LogEntry {
        guard !saysName else { return self }
        return LogEntry(time: time, call: call, content: content.named(in: provider), saysName: false)
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
