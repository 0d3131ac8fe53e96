public import FleetEngine
public import FleetEngineAPI
import FoundationEssentials
import SwiftProtobuf

/// A Fleet Engine in this process: the pure engine, one caller at a time, and a clock.
///
/// It can be used as it is, without any network, or behind gRPC: `services` are for a gRPC server of any transport.
public actor LocalFleetEngine {
    private var state: FleetEngineState
    private let time: any TimeSource
    /// By provider: those whose desk has booked a trip.
    private var dispatches: [String: Dispatch] = [:]

    public init(state: FleetEngineState = FleetEngineState(), time: any TimeSource) {
        self.state = state
        self.time = time
    }

    /// All that the engine knows, as it is now.
    public var snapshot: FleetEngineState { state }

    // MARK: Changes

    /// Makes a change, and gives trips to the vehicles that can take one after it.
    private func change<Answer>(
        _ work: (inout FleetEngineState, Date) throws(FleetEngineError) -> Answer
    ) throws(FleetEngineError) -> Answer {
        let now = time.now()
        // Also a call that is refused may have swept old trips from their vehicles.
        defer { dispatch(now) }
        return try work(&state, now)
    }

    private func dispatch(_ now: Date) {
        var changed = state.takeChangedVehicles()
        while !changed.isEmpty {
            for name in changed { dispatches[name.provider]?.note(name, in: state) }
            for provider in Set(changed.map(\.provider)) { dispatches[provider]?.serve(&state, now: now) }
            changed = state.takeChangedVehicles()
        }
    }

    /// Creates a trip that is to get a vehicle as soon as one can take it.
    ///
    /// - Parameter waitingLimit: how many trips of a provider may wait.
    /// - Returns: the trip as it is now, with its vehicle when there was one.
    /// - Throws: what `createTrip` throws; RESOURCE_EXHAUSTED when too many wait.
    func dispatchTrip(_ request: WireCreateTripRequest, waitingLimit: Int) throws(FleetEngineError) -> WireTrip {
        let now = time.now()
        let provider = try Check.provider(request.parent).provider
        let waiting = dispatches[provider, default: Dispatch(provider: provider, state: state)]
            .waitingCount(limit: waitingLimit, in: state, now: now)
        guard waiting < waitingLimit else {
            throw FleetEngineError(code: .resourceExhausted, message: "\(waitingLimit) trips are waiting for a vehicle already")
        }
        let trip = try createTrip(request)
        let name = try Check.tripName(trip.name)
        dispatches[provider]?.add(name, type: trip.tripType)
        dispatches[provider]?.serve(&state, now: now)
        dispatch(now)
        return try state.getTrip(.with { $0.name = trip.name }, now: now)
    }

    /// How often a provider's desk has looked at a vehicle so far.
    func dispatchLooks(_ provider: String) -> Int { dispatches[provider]?.looks ?? 0 }

    // MARK: Trips

    /// See `FleetEngineState.createTrip`.
    public func createTrip(_ request: WireCreateTripRequest) throws(FleetEngineError) -> WireTrip {
        try change { state, now throws(FleetEngineError) in try state.createTrip(request, now: now) }
    }

    /// See `FleetEngineState.getTrip`.
    public func getTrip(_ request: WireGetTripRequest) throws(FleetEngineError) -> WireTrip {
        try state.getTrip(request, now: time.now())
    }

    /// See `FleetEngineState.updateTrip`.
    public func updateTrip(_ request: WireUpdateTripRequest) throws(FleetEngineError) -> WireTrip {
        try change { state, now throws(FleetEngineError) in try state.updateTrip(request, now: now) }
    }

    /// See `FleetEngineState.deleteTrip`.
    public func deleteTrip(_ request: WireDeleteTripRequest) throws(FleetEngineError) {
        try change { state, now throws(FleetEngineError) in try state.deleteTrip(request, now: now) }
    }

    /// See `FleetEngineState.searchTrips`.
    public func searchTrips(_ request: WireSearchTripsRequest) throws(FleetEngineError) -> WireSearchTripsResponse {
        try state.searchTrips(request, now: time.now())
    }

    /// See `FleetEngineState.reportBillableTrip`.
    public func reportBillableTrip(_ request: WireReportBillableTripRequest) throws(FleetEngineError) {
        try state.reportBillableTrip(request)
    }

    // MARK: Vehicles

    /// See `FleetEngineState.createVehicle`.
    public func createVehicle(_ request: WireCreateVehicleRequest) throws(FleetEngineError) -> WireVehicle {
        try change { state, now throws(FleetEngineError) in try state.createVehicle(request, now: now) }
    }

    /// See `FleetEngineState.getVehicle`.
    public func getVehicle(_ request: WireGetVehicleRequest) throws(FleetEngineError) -> WireVehicle {
        try state.getVehicle(request, now: time.now())
    }

    /// See `FleetEngineState.updateVehicle`.
    public func updateVehicle(_ request: WireUpdateVehicleRequest) throws(FleetEngineError) -> WireVehicle {
        try change { state, now throws(FleetEngineError) in try state.updateVehicle(request, now: now) }
    }

    /// See `FleetEngineState.updateVehicleAttributes`.
    public func updateVehicleAttributes(
        _ request: WireUpdateVehicleAttributesRequest
    ) throws(FleetEngineError) -> WireUpdateVehicleAttributesResponse {
        try change { state, now throws(FleetEngineError) in try state.updateVehicleAttributes(request, now: now) }
    }

    /// See `FleetEngineState.deleteVehicle`.
    public func deleteVehicle(_ request: WireDeleteVehicleRequest) throws(FleetEngineError) {
        try change { state, now throws(FleetEngineError) in try state.deleteVehicle(request, now: now) }
    }

    /// See `FleetEngineState.listVehicles`.
    public func listVehicles(_ request: WireListVehiclesRequest) throws(FleetEngineError) -> WireListVehiclesResponse {
        try state.listVehicles(request, now: time.now())
    }

    /// See `FleetEngineState.searchVehicles`.
    public func searchVehicles(_ request: WireSearchVehiclesRequest) throws(FleetEngineError) -> WireSearchVehiclesResponse {
        try state.searchVehicles(request, now: time.now())
    }
}
