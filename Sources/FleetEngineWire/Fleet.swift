package import FleetEngine
package import FleetEngineAPI
import Geo
import SwiftProtobuf

extension Vehicle {
    /// A vehicle of a list; nil where its name is none.
    package init?(_ wire: WireVehicle) {
        guard let name = try? VehicleName(wire.name) else { return nil }
        self.init(wire, name: name)
    }
}

extension WireListVehiclesRequest {
    /// The first page; page size and token are the caller's.
    package init(_ query: FleetQuery, header: WireRequestHeader) {
        self.init()
        self.header = header
        parent = "providers/\(query.provider)"
        filter = query.filter
        // Fleet Engine wants to be told the kinds even of a list of all.
        vehicleTypeCategories = WireVehicle.VehicleType.Category.allCases.filter { $0 != .unknown }
        guard let window = query.window else { return }
        viewport.low = WireLatLng(Coordinate(latitude: window.south, longitude: window.west))
        // Over the antimeridian the low corner lies east of the high one.
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
