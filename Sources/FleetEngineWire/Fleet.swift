package import FleetEngine
package import FleetEngineAPI
import Geo
import SwiftProtobuf

extension Vehicle {
    /// Creates a vehicle from an entry of a list; nil without a valid name.
    package init?(_ wire: WireVehicle) {
        guard let name = try? VehicleName(wire.name) else { return nil }
        self.init(wire, name: name)
    }
}

extension WireListVehiclesRequest {
    /// Creates a request without a page size or page token. The caller sets the size and, for every page after the first, the token.
    package init(_ query: FleetQuery, header: WireRequestHeader) {
        self.init()
        self.header = header
        parent = "providers/\(query.provider)"
        filter = query.filter
        // Fleet Engine requires the categories even in a request for all vehicles.
        vehicleTypeCategories = WireVehicle.VehicleType.Category.allCases.filter { $0 != .unknown }
        guard let window = query.window else { return }
        viewport.low = WireLatLng(Coordinate(latitude: window.south, longitude: window.west))
        // If the window crosses the antimeridian, the longitude of the high corner is wrapped, and is then less than that of the low
        // corner.
        viewport.high = WireLatLng(Coordinate(latitude: window.north, longitude: Coordinate.wrappedLongitude(window.east)))
    }
}

extension WireSearchVehiclesRequest {
    package init(_ query: NearbyQuery, header: WireRequestHeader) {
        self.init()
        self.header = header
        parent = "providers/\(query.trip.provider)"
        pickupPoint.point = WireLatLng(query.place)
        pickupRadiusMeters = Int32(clamping: query.radiusMeters)
        count = Int32(clamping: query.limit)
        minimumCapacity = 1
        tripTypes = [.exclusive]
        vehicleTypes = WireVehicle.VehicleType.Category.allCases.filter { $0 != .unknown }.map { category in
            .with { $0.category = category }
        }
        orderBy = .pickupPointDistance
    }
}
