public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
public import FoundationEssentials
import SwiftProtobuf

extension FleetEngineState {
    /// Returns the matching trips of a provider, oldest first. If the request has `active_trips_only`, trips that are COMPLETE or CANCELED
    /// do not match.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func searchTrips(_ request: WireSearchTripsRequest, now: Date) throws(FleetEngineError) -> WireSearchTripsResponse {
        try tripList(request, now: now).response
    }

    /// Returns the trips and vehicles for the answer to a search.
    package func tripList(_ request: WireSearchTripsRequest, now: Date) throws(FleetEngineError) -> TripList {
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
        return TripList(
            answers: page.rows.compactMap { row in trips[row.name].map { answer($0, now) } }, nextPageToken: page.nextToken,
            namesVehicle: !request.vehicleID.isEmpty)
    }
}

/// A page of trips at one moment. Code outside the engine can convert it to an answer, so that other calls do not have to wait.
package struct TripList: Sendable {
    let answers: [TripAnswer]
    let nextPageToken: String
    /// Whether the request named a vehicle.
    let namesVehicle: Bool

    package var response: WireSearchTripsResponse {
        .with {
            $0.trips = answers.map { $0.searchAnswer(namesVehicle: namesVehicle) }
            $0.nextPageToken = nextPageToken
        }
    }
}
