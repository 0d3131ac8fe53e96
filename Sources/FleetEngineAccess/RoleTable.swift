public import FleetEngine

/// The decision on whether a call is allowed.
public enum AccessDecision: Hashable, Sendable {
    /// The call is allowed.
    case allowed
    /// The call is denied. The text is one sentence.
    case denied(String)
}

/// The calls that each role may make. A call is checked against this table before the engine executes it.
///
/// | role | may call |
/// |---|---|
/// | consumer | GetTrip of its trip; GetVehicle of any vehicle; SearchVehicles |
/// | driver | GetVehicle and UpdateVehicle of its vehicle; SearchTrips with its vehicle; GetTrip and UpdateTrip of the token's trip, or else of its vehicle's current trips |
/// | server | all calls except deletions, for the ids of its token |
/// | admin | all calls |
///
/// Source: Google's page about the roles of Fleet Engine, and the tests of Google's auth library.
public enum RoleTable {
    private static let consumerCalls: Set<EngineRPC> = [.getTrip, .getVehicle, .searchVehicles, .getTaskTrackingInfo]
    private static let driverCalls: Set<EngineRPC> = [
        .getTrip, .updateTrip, .searchTrips, .getVehicle, .updateVehicle, .getDeliveryVehicle, .updateDeliveryVehicle,
    ]
    private static let deletions: Set<EngineRPC> = [.deleteTrip, .deleteVehicle, .deleteDeliveryVehicle, .deleteTask]

    /// Returns the reason why a token allows no call of an RPC; nil if it may allow some calls, depending on the ids in them.
    public static func denial(_ grant: AccessGrant, of rpc: EngineRPC) -> String? {
        if grant.isReadOnly, !rpc.isReading { return "the token is read-only and is not allowed to call \(rpc.name)" }
        if grant.role == .driver, trustedCalls.contains(rpc) {
            return grant.deliveries.isOfTrustedDriver ? nil : "\(needsTrust) call \(rpc.name)"
        }
        let isPossible =
            switch grant.role {
            case .admin: true
            case .server: !deletions.contains(rpc)
            case .driver: driverCalls.contains(rpc)
            case .consumer: consumerCalls.contains(rpc)
            }
        return isPossible ? nil : "a \(grant.role.rawValue) account is not allowed to call \(rpc.name)"
    }

    /// Returns the trip whose vehicle must be looked up before the table can decide; nil if no look-up is needed.
    public static func tripToLookUp(_ grant: AccessGrant, _ call: EngineCall) -> TripName? {
        guard grant.role == .driver, grant.tripID == nil, grant.vehicleID != nil else { return nil }
        switch call {
        case .getTrip(let trip), .updateTrip(let trip, _): return trip
        default: return nil
        }
    }

    /// - Parameters:
    ///   - tripVehicle: the bare id of the vehicle that currently has the trip from `tripToLookUp`; nil if no vehicle has it.
    ///   - taskVehicle: the bare id of the delivery vehicle that has the task of `taskToLookUp`; nil if no vehicle has it.
    public static func decision(
        _ grant: AccessGrant, _ call: EngineCall, tripVehicle: String? = nil, taskVehicle: String? = nil
    ) -> AccessDecision {
        if let reason = denial(grant, of: call.rpc) { return .denied(reason) }
        if case .delivery(let call) = call { return delivery(grant, call, taskVehicle) }
        return switch grant.role {
        case .admin: .allowed
        case .server: server(grant, call)
        case .driver: driver(grant, call, tripVehicle)
        case .consumer: consumer(grant, call)
        }
    }

    /// Whether the answer to GetVehicle must leave out waypoints, trips and attributes. A rider sees them only if the vehicle has the trip
    /// of the rider's token.
    ///
    /// - Parameter currentTrips: the bare ids of the vehicle's current trips.
    public static func hidesTrips(_ grant: AccessGrant, currentTrips: [String]) -> Bool {
        grant.role == .consumer && !currentTrips.contains { grant.covers(trip: $0) }
    }

    private static func consumer(_ grant: AccessGrant, _ call: EngineCall) -> AccessDecision {
        switch call {
        case .getTrip(let trip): ofTrip(grant.covers(trip: trip?.trip))
        // A token that is only for a shipment must not give access to the vehicles of rides.
        case .getVehicle, .searchVehicles: ofVehicle(grant.tripID != nil || grant.vehicleID != nil)
        default: denied(grant.role, call)
        }
    }

    private static func driver(_ grant: AccessGrant, _ call: EngineCall, _ tripVehicle: String?) -> AccessDecision {
        switch call {
        case .getVehicle(let vehicle), .updateVehicle(let vehicle): ofVehicle(grant.covers(vehicle: vehicle?.vehicle))
        case .searchTrips(let vehicle): ofVehicle(vehicle != nil && grant.covers(vehicle: vehicle))
        case .getTrip(let trip): ofTrip(serves(grant, trip, tripVehicle))
        case .updateTrip(let trip, let vehicle):
            serves(grant, trip, tripVehicle) ? ofVehicle(mayGive(grant, to: vehicle)) : ofTrip(false)
        default: denied(grant.role, call)
        }
    }

    private static func serves(_ grant: AccessGrant, _ trip: TripName?, _ tripVehicle: String?) -> Bool {
        if grant.tripID != nil { return grant.covers(trip: trip?.trip) }
        return tripVehicle != nil && grant.covers(vehicle: tripVehicle)
    }

    private static func server(_ grant: AccessGrant, _ call: EngineCall) -> AccessDecision {
        switch call {
        case .createTrip(let trip, let vehicle), .updateTrip(let trip, let vehicle):
            grant.covers(trip: trip?.trip) ? ofVehicle(mayGive(grant, to: vehicle)) : ofTrip(false)
        case .getTrip(let trip), .reportBillableTrip(let trip): ofTrip(grant.covers(trip: trip?.trip))
        case .searchTrips(let vehicle): ofTrip(grant.tripID == "*" || vehicle != nil && grant.covers(vehicle: vehicle))
        case .createVehicle(let vehicle), .getVehicle(let vehicle), .updateVehicle(let vehicle), .updateVehicleAttributes(let vehicle):
            ofVehicle(grant.covers(vehicle: vehicle?.vehicle))
        case .listVehicles, .searchVehicles: ofVehicle(grant.vehicleID == "*")
        case .deleteTrip, .deleteVehicle, .delivery: denied(grant.role, call)
        }
    }

    /// Whether a trip may be assigned to a vehicle. If the token is for one vehicle, only that vehicle is allowed.
    private static func mayGive(_ grant: AccessGrant, to vehicle: String?) -> Bool {
        vehicle == nil || grant.vehicleID == nil || grant.covers(vehicle: vehicle)
    }

    private static func ofTrip(_ isAllowed: Bool) -> AccessDecision { isAllowed ? .allowed : .denied("the token is not for this trip") }

    private static func ofVehicle(_ isAllowed: Bool) -> AccessDecision {
        isAllowed ? .allowed : .denied("the token is not for this vehicle")
    }

    static func denied(_ role: AccountRole, _ call: EngineCall) -> AccessDecision {
        .denied("a \(role.rawValue) account is not allowed to call \(call.rpc.name)")
    }
}
