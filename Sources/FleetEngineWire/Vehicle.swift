package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

extension Vehicle {
    /// - Parameter name: the name in the request.
    package init(_ wire: WireVehicle, name: VehicleName) {
        var paths = PathReader()
        self.init(wire, name: name, paths: &paths)
    }

    package init(_ wire: WireVehicle, name: VehicleName, paths: inout PathReader) {
        self.init(
            name: name, state: VehicleState(wire.vehicleState), supportedTripTypes: wire.supportedTripTypes.map { TripType($0) },
            maximumCapacity: max(0, Int(wire.maximumCapacity)), category: VehicleCategory(wire.vehicleType.category),
            currentTrips: wire.currentTrips, lastLocation: wire.hasLastLocation ? VehicleLocation(wire.lastLocation) : nil,
            attributes: Dictionary(wire.attributes.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first }),
            waypoints: wire.waypoints.compactMap { TripWaypoint($0, paths: &paths) }, backToBackEnabled: wire.backToBackEnabled,
            navigationStatus: NavigationStatus(wire.navigationStatus),
            remainingDistanceMeters: wire.hasRemainingDistanceMeters
                ? Double(wire.remainingDistanceMeters.value).plausible(in: Plausible.meters) : nil,
            etaToFirstWaypoint: wire.hasEtaToFirstWaypoint ? wire.etaToFirstWaypoint.plausibleDate : nil,
            licensePlateLastCharacter: wire.hasLicensePlate && !wire.licensePlate.lastCharacter.isEmpty
                ? wire.licensePlate.lastCharacter : nil)
    }
}

extension Double {
    /// The number as text, without a fraction if it is whole.
    package var attributeText: String { self == rounded() && abs(self) < 1e15 ? "\(Int64(self))" : "\(self)" }
}

extension WireVehicleAttribute {
    /// The value as text, for comparison in searches.
    package var text: String {
        switch vehicleAttributeValue {
        case .stringValue(let value): value
        case .boolValue(let value): value ? "true" : "false"
        case .numberValue(let value): value.attributeText
        case nil: value
        }
    }
}

extension WireCreateVehicleRequest {
    package init(_ vehicle: Vehicle, header: WireRequestHeader) {
        self.init()
        self.header = header
        parent = "providers/\(vehicle.name.provider)"
        vehicleID = vehicle.name.vehicle
        self.vehicle = .with { wire in
            wire.vehicleState = vehicle.state.wire
            wire.supportedTripTypes = vehicle.supportedTripTypes.map(\.wire)
            wire.maximumCapacity = Int32(clamping: vehicle.maximumCapacity)
            wire.vehicleType.category = vehicle.category.wire
            wire.backToBackEnabled = vehicle.backToBackEnabled
            wire.attributes = vehicle.attributes.sorted { $0.key < $1.key }.map { key, value in
                .with {
                    $0.key = key
                    $0.value = value
                    $0.stringValue = value
                }
            }
            if let location = vehicle.lastLocation { wire.lastLocation = location.wire }
        }
    }
}

extension WireUpdateVehicleRequest {
    package init(name: VehicleName, _ update: VehicleUpdate, header: WireRequestHeader) {
        self.init()
        self.header = header
        self.name = name.description
        vehicle.vehicleState = update.state.wire
        updateMask.paths = update.fields.paths
        if update.fields.contains(.location), let location = update.location { vehicle.lastLocation = location.wire }
        if update.fields.contains(.remainingTime), let seconds = update.remainingTimeSeconds {
            vehicle.remainingTimeSeconds = .init(Int32(rounding: seconds))
        }
        if update.fields.contains(.remainingDistance), let meters = update.remainingDistanceMeters {
            vehicle.remainingDistanceMeters = .init(Int32(rounding: meters))
        }
        if update.fields.contains(.navigationStatus) { vehicle.navigationStatus = update.navigationStatus.wire }
        setRoute(update)
    }

    private mutating func setRoute(_ update: VehicleUpdate) {
        if update.fields.contains(.route) { vehicle.currentRouteSegment = S2Polyline.encode(update.route.coordinates) }
        if update.fields.contains(.routeEndPoint), let end = update.routeEndPoint {
            vehicle.currentRouteSegmentEndPoint = .with {
                $0.location.point = WireLatLng(end.coordinate)
                $0.tripID = end.tripID
                $0.waypointType = end.type.wire
            }
        }
        guard update.fields.contains(.routeTraffic) else { return }
        vehicle.currentRouteSegmentTraffic.trafficRendering.roadStretch = update.route.traffic.compactMap { .init($0) }
    }
}

extension VehicleUpdate.Fields {
    /// The paths of the mask, in the order in which the real SDK sends them.
    package var paths: [String] {
        let names: [(VehicleUpdate.Fields, String)] = [
            (.state, "vehicle_state"), (.location, "last_location"), (.remainingTime, "remaining_time_seconds"),
            (.remainingDistance, "remaining_distance_meters"), (.deviceSettings, "device_settings"), (.route, "current_route_segment"),
            (.routeEndPoint, "current_route_segment_end_point"), (.routeTraffic, "current_route_segment_traffic"),
            (.navigationStatus, "navigation_status"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
