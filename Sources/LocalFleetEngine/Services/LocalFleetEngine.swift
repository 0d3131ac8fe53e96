public import FleetEngine
public import FleetEngineAPI
import FoundationEssentials

/// A Fleet Engine in this process: the pure engine, one caller at a time, and a clock.
///
/// It can be used as it is, without any network, or behind gRPC: `services` are for a gRPC server of any transport.
public actor LocalFleetEngine {
    private var state: FleetEngineState
    private let time: any TimeSource

    public init(state: FleetEngineState = FleetEngineState(), time: any TimeSource) {
        self.state = state
        self.time = time
    }

    /// All that the engine knows, as it is now.
    public var snapshot: FleetEngineState { state }

    // MARK: Trips

    /// See `FleetEngineState.createTrip`.
    public func createTrip(_ request: WireCreateTripRequest) throws(FleetEngineError) -> WireTrip {
        try state.createTrip(request, now: time.now())
    }

    /// See `FleetEngineState.getTrip`.
    public func getTrip(_ request: WireGetTripRequest) throws(FleetEngineError) -> WireTrip {
        try state.getTrip(request, now: time.now())
    }

    /// See `FleetEngineState.updateTrip`.
    public func updateTrip(_ request: WireUpdateTripRequest) throws(FleetEngineError) -> WireTrip {
        try state.updateTrip(request, now: time.now())
    }

    /// See `FleetEngineState.deleteTrip`.
    public func deleteTrip(_ request: WireDeleteTripRequest) throws(FleetEngineError) {
        try state.deleteTrip(request, now: time.now())
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
        try state.createVehicle(request, now: time.now())
    }

    /// See `FleetEngineState.getVehicle`.
    public func getVehicle(_ request: WireGetVehicleRequest) throws(FleetEngineError) -> WireVehicle {
        try state.getVehicle(request, now: time.now())
    }

    /// See `FleetEngineState.updateVehicle`.
    public func updateVehicle(_ request: WireUpdateVehicleRequest) throws(FleetEngineError) -> WireVehicle {
        try state.updateVehicle(request, now: time.now())
    }

    /// See `FleetEngineState.updateVehicleAttributes`.
    public func updateVehicleAttributes(
        _ request: WireUpdateVehicleAttributesRequest
    ) throws(FleetEngineError) -> WireUpdateVehicleAttributesResponse {
        try state.updateVehicleAttributes(request, now: time.now())
    }

    /// See `FleetEngineState.deleteVehicle`.
    public func deleteVehicle(_ request: WireDeleteVehicleRequest) throws(FleetEngineError) {
        try state.deleteVehicle(request, now: time.now())
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
