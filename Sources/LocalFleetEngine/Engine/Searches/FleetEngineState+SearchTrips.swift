public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
public import FoundationEssentials
import SwiftProtobuf

extension FleetEngineState {
    /// Trips of a provider, oldest first. Active are those not COMPLETE or CANCELED.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func searchTrips(_ request: WireSearchTripsRequest, now: Date) throws(FleetEngineError) -> WireSearchTripsResponse {
        let provider = try Check.provider(request.parent).provider
        let paging = try Paging(size: request.pageSize, token: request.pageToken, limits: options.limits)
        if !request.vehicleID.isEmpty { _ = try Check.vehicleName(provider: provider, id: request.vehicleID) }
        let staleness = request.hasMinimumStaleness ? request.minimumStaleness.lengthSeconds : 0
        guard staleness >= 0 else { throw .invalid("minimum_staleness", "minimum_staleness must not be negative") }
        let found = trips.values.filter { record in
            record.name.provider == provider && !isExpired(record, now)
                && (request.vehicleID.isEmpty || record.trip.vehicleID == request.vehicleID)
                && (!request.activeTripsOnly || !record.status.isFinal)
                && (staleness == 0 || now.timeIntervalSince(record.updatedAt) >= staleness)
        }
        let page = paging.page(of: found) { $0.serial }
        var response = WireSearchTripsResponse()
        response.trips = page.elements.map { answer($0, now).searchAnswer(namesVehicle: !request.vehicleID.isEmpty) }
        response.nextPageToken = page.nextToken
        return response
    }
}
