import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import SwiftProtobuf

extension EngineCall {
    /// The call that a request is, with its ids; nil for a message that is no request.
    init?(_ message: some Sendable) {
        guard let call = Self.ofTrip(message) ?? Self.ofVehicle(message) else { return nil }
        self = call
    }

    private static func ofTrip(_ message: some Sendable) -> EngineCall? {
        switch message {
        case let request as WireGetTripRequest: .getTrip(try? TripName(request.name))
        case let request as WireUpdateTripRequest: .updateTrip(try? TripName(request.name), vehicle: request.givenVehicle)
        case let request as WireCreateTripRequest:
            .createTrip(
                try? TripName(request.parent + "/trips/" + request.tripID),
                vehicle: request.trip.vehicleID.isEmpty ? nil : request.trip.vehicleID)
        case let request as WireSearchTripsRequest: .searchTrips(vehicle: request.vehicleID.isEmpty ? nil : request.vehicleID)
        case let request as WireReportBillableTripRequest: .reportBillableTrip(request.tripName)
        case let request as WireDeleteTripRequest: .deleteTrip(try? TripName(request.name))
        default: nil
        }
    }

    private static func ofVehicle(_ message: some Sendable) -> EngineCall? {
        switch message {
        case let request as WireUpdateVehicleRequest: .updateVehicle(try? VehicleName(request.name))
        case let request as WireGetVehicleRequest: .getVehicle(try? VehicleName(request.name))
        case let request as WireUpdateVehicleAttributesRequest: .updateVehicleAttributes(try? VehicleName(request.name))
        case let request as WireCreateVehicleRequest:
            .createVehicle(try? VehicleName(request.parent + "/vehicles/" + request.vehicleID))
        case let request as WireDeleteVehicleRequest: .deleteVehicle(try? VehicleName(request.name))
        case is WireListVehiclesRequest: .listVehicles
        case is WireSearchVehiclesRequest: .searchVehicles
        default: nil
        }
    }
}

extension WireUpdateTripRequest {
    /// The vehicle that the trip is given to; nil where the mask leaves it as it is, and where the trip is taken off.
    fileprivate var givenVehicle: String? {
        guard !trip.vehicleID.isEmpty, updateMask.paths.contains(where: { UpdateMask.snakeCase($0) == TripField.vehicleID.rawValue })
        else { return nil }
        return trip.vehicleID
    }
}

extension WireReportBillableTripRequest {
    /// The trip of `providers/{provider}/billableTrips/{trip}`.
    fileprivate var tripName: TripName? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "providers", parts[2] == "billableTrips" else { return nil }
        return try? TripName(provider: String(parts[1]), trip: String(parts[3]))
    }
}
