import FleetEngine
import Geo
import Navigation

extension VehicleReporterMachine {
    /// Whether the server needs a new route, or an empty route because the last route has ended.
    var hasNewRoute: Bool {
        guard let navigation, navigation.routeRevision != acknowledged.routeRevision else { return false }
        return navigation.route != nil || acknowledged.hasRoute
    }

    /// Creates a request with the newest data.
    ///
    /// Its mask contains the same fields as the masks that real driver apps send:
    /// - always the device settings, and the state once it is set;
    /// - the location, if it is new;
    /// - during guidance, the remaining time and distance; once after guidance ends, the same fields without values;
    /// - the route with its end point and traffic, if the route is new;
    /// - the status of the navigation, if it has changed.
    func makeUpdate() -> VehicleUpdate {
        var update = VehicleUpdate(fields: [.deviceSettings])
        if let vehicleState {
            update.fields.insert(.state)
            update.state = vehicleState
        }
        if let location = newLocation {
            update.fields.insert(.location)
            update.location = location
        }
        if let navigation { add(navigation, to: &update) }
        return update
    }

    /// The positions that the server has not accepted yet: the sensor's, the supplemental one, or both; nil if neither is new.
    private var newLocation: VehicleLocation? {
        let fresh = supplemental.flatMap { $0 == acknowledged.supplemental ? nil : $0 }
        if let location, location.timestamp != acknowledged.locationTime {
            var report = VehicleLocation(location)
            report.supplemental = fresh
            return report
        }
        return fresh.map {
            VehicleLocation(coordinate: $0.coordinate, accuracyMeters: $0.accuracyMeters, updateTime: $0.time, supplemental: $0)
        }
    }

    private func add(_ navigation: NavigationReport, to update: inout VehicleUpdate) {
        if navigation.remainingTimeSeconds != nil || acknowledged.hasRemainingTime {
            update.fields.insert(.remainingTime)
            update.remainingTimeSeconds = navigation.remainingTimeSeconds
        }
        if navigation.remainingDistanceMeters != nil || acknowledged.hasRemainingDistance {
            update.fields.insert(.remainingDistance)
            update.remainingDistanceMeters = navigation.remainingDistanceMeters
        }
        if navigation.status != acknowledged.status {
            update.fields.insert(.navigationStatus)
            update.navigationStatus = navigation.status
        }
        if hasNewRoute {
            update.fields.formUnion([.route, .routeEndPoint, .routeTraffic])
            update.route = navigation.route?.path ?? RouteLine()
            update.routeEndPoint = navigation.route.map { TripWaypoint(coordinate: $0.endPoint, tripID: "", type: .unknown) }
        }
    }
}

extension FleetEngineError {
    /// Whether the server refused a request because its mask was empty. The text `emptyMaskText` may be in the error's message or in one of
    /// the error's details.
    var saysEmptyMask: Bool {
        let texts = details.flatMap { detail -> [String] in
            switch detail {
            case .badRequest(let violations): violations.map(\.description)
            case .preconditionFailure(let violations): violations.map(\.description)
            case .localizedMessage(_, let message): [message]
            default: []
            }
        }
        return ([message] + texts).contains { $0.contains(VehicleReporterMachine.emptyMaskText) }
    }
}
