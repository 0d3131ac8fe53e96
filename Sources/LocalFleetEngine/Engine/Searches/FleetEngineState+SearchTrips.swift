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
        let rows = tripIndex.rows(provider: provider, vehicleID: request.vehicleID)
        let page = paging.page(of: rows) { place in
            !isExpired(changedAt: rows[place].updatedAt, now) && (!request.activeTripsOnly || !rows[place].isFinal)
                && (staleness == 0 || now.timeIntervalSince(rows[place].updatedAt) >= staleness)
        }
        var response = WireSearchTripsResponse()
        response.trips = page.rows.compactMap { row in
            trips[row.name].map { answer($0, now).searchAnswer(namesVehicle: !request.vehicleID.isEmpty) }
        }
        response.nextPageToken = page.nextToken
        return response
    }
}
