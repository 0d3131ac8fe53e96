import FleetEngine
import Testing

@testable import FleetEngineAccess

@Suite("The table of roles")
struct RoleTableTests {
    private static let trip = try? TripName(provider: "p", trip: "t1")
    private static let otherTrip = try? TripName(provider: "p", trip: "t2")
    private static let vehicle = try? VehicleName(provider: "p", vehicle: "v1")
    private static let otherVehicle = try? VehicleName(provider: "p", vehicle: "v2")

    /// Calls for trip t1, for vehicle v1, or without a vehicle. `others` contains the calls that name t2 or v2.
    static let own: [EngineCall] = [
        .createTrip(trip, vehicle: nil), .createTrip(trip, vehicle: "v1"), .getTrip(trip), .updateTrip(trip, vehicle: nil),
        .updateTrip(trip, vehicle: "v1"), .searchTrips(vehicle: "v1"), .searchTrips(vehicle: nil), .reportBillableTrip(trip),
        .deleteTrip(trip), .createVehicle(vehicle), .getVehicle(vehicle), .updateVehicle(vehicle), .updateVehicleAttributes(vehicle),
        .deleteVehicle(vehicle), .listVehicles, .searchVehicles,
    ]
    static let others: [EngineCall] = [
        .createTrip(otherTrip, vehicle: nil), .createTrip(trip, vehicle: "v2"), .getTrip(otherTrip), .updateTrip(otherTrip, vehicle: nil),
        .updateTrip(trip, vehicle: "v2"), .searchTrips(vehicle: "v2"), .reportBillableTrip(otherTrip), .deleteTrip(otherTrip),
        .createVehicle(otherVehicle), .getVehicle(otherVehicle), .updateVehicle(otherVehicle), .updateVehicleAttributes(otherVehicle),
        .deleteVehicle(otherVehicle),
    ]
    /// Calls with names that are not valid.
    static let unreadable: [EngineCall] = [
        .createTrip(nil, vehicle: nil), .getTrip(nil), .updateTrip(nil, vehicle: nil), .reportBillableTrip(nil), .deleteTrip(nil),
        .createVehicle(nil), .getVehicle(nil), .updateVehicle(nil), .updateVehicleAttributes(nil), .deleteVehicle(nil),
    ]
    static var all: [EngineCall] { own + others + unreadable }

    struct Row: Sendable, CustomTestStringConvertible {
        let grant: AccessGrant
        /// The calls that the role allows. All others are denied.
        let allowed: [EngineCall]
        /// The vehicle to which the requested trip is assigned.
        var tripVehicle: String?

        var testDescription: String {
            "\(grant.role) tripid \(grant.tripID ?? "-") vehicleid \(grant.vehicleID ?? "-"), the trip's vehicle \(tripVehicle ?? "-")"
        }
    }

    private static func grant(_ role: AccountRole, trip: String? = nil, vehicle: String? = nil) -> AccessGrant {
        AccessGrant(role: role, tripID: trip, vehicleID: vehicle)
    }

    private static let vehicles = [vehicle, otherVehicle, nil]
    private static let anyVehicleSeen: [EngineCall] = vehicles.map(EngineCall.getVehicle) + [.searchVehicles]
    private static let trips = [trip, otherTrip, nil]
    private static let tripWrites: [EngineCall] = trips.flatMap { [.createTrip($0, vehicle: nil), .updateTrip($0, vehicle: nil)] }
    private static let given: [EngineCall] = ["v1", "v2"].flatMap { [.createTrip(trip, vehicle: $0), .updateTrip(trip, vehicle: $0)] }
    private static let vehicleCalls: [EngineCall] = vehicles.flatMap {
        [.createVehicle($0), .getVehicle($0), .updateVehicle($0), .updateVehicleAttributes($0)]
    }
    private static let ownVehicleCalls: [EngineCall] = [
        .createVehicle(vehicle), .getVehicle(vehicle), .updateVehicle(vehicle), .updateVehicleAttributes(vehicle),
        .searchTrips(vehicle: "v1"),
    ]
    private static let driverVehicle: [EngineCall] = [.getVehicle(vehicle), .updateVehicle(vehicle), .searchTrips(vehicle: "v1")]

    static let rows: [Row] =
        [
            Row(grant: grant(.consumer, trip: "t1"), allowed: [.getTrip(trip)] + anyVehicleSeen),
            Row(grant: grant(.consumer, trip: "*"), allowed: trips.map(EngineCall.getTrip) + anyVehicleSeen),
            Row(grant: grant(.consumer, vehicle: "v1"), allowed: anyVehicleSeen),
            Row(grant: grant(.consumer, vehicle: "*"), allowed: anyVehicleSeen),
            Row(grant: grant(.driver, vehicle: "v1"), allowed: driverVehicle),
            Row(grant: grant(.driver, vehicle: "v1"), allowed: driverVehicle, tripVehicle: "v2"),
            Row(grant: grant(.driver, trip: "t1"), allowed: [.getTrip(trip), .updateTrip(trip, vehicle: nil)] + driverGiven),
            Row(
                grant: grant(.driver, trip: "t1", vehicle: "v1"),
                allowed: driverVehicle + [.getTrip(trip), .updateTrip(trip, vehicle: nil), .updateTrip(trip, vehicle: "v1")]),
            Row(
                grant: grant(.server, trip: "t1"),
                allowed: [
                    .createTrip(trip, vehicle: nil), .getTrip(trip), .updateTrip(trip, vehicle: nil), .reportBillableTrip(trip),
                ] + given),
            Row(grant: grant(.server, vehicle: "v1"), allowed: ownVehicleCalls),
            Row(
                grant: grant(.server, trip: "t1", vehicle: "v1"),
                allowed: ownVehicleCalls + [
                    .createTrip(trip, vehicle: nil), .createTrip(trip, vehicle: "v1"), .getTrip(trip), .updateTrip(trip, vehicle: nil),
                    .updateTrip(trip, vehicle: "v1"), .reportBillableTrip(trip),
                ]),
        ] + wildcards + withVehicle

    private static let driverGiven: [EngineCall] = [.updateTrip(trip, vehicle: "v1"), .updateTrip(trip, vehicle: "v2")]
    private static let searches: [EngineCall] = [.searchTrips(vehicle: "v1"), .searchTrips(vehicle: "v2"), .searchTrips(vehicle: nil)]
    private static let wholeServer: [EngineCall] =
        tripWrites + given + trips.flatMap { [.getTrip($0), .reportBillableTrip($0)] } + searches + vehicleCalls
        + [.listVehicles, .searchVehicles]

    private static let wildcards: [Row] = [
        Row(grant: grant(.server, trip: "*", vehicle: "*"), allowed: wholeServer),
        Row(
            grant: grant(.server, trip: "*"),
            allowed: tripWrites + given + trips.flatMap { [.getTrip($0), .reportBillableTrip($0)] } + searches),
        Row(
            grant: grant(.server, vehicle: "*"),
            allowed: vehicleCalls + [.searchTrips(vehicle: "v1"), .searchTrips(vehicle: "v2"), .listVehicles, .searchVehicles]),
        Row(grant: grant(.admin), allowed: all),
        Row(grant: grant(.admin, trip: "t1", vehicle: "v1"), allowed: all),
    ]

    /// Rows about drivers, most of them for a trip that is assigned to v1.
    private static let withVehicle: [Row] = [
        Row(
            grant: grant(.driver, vehicle: "v1"),
            allowed: driverVehicle + trips.flatMap { [.getTrip($0), .updateTrip($0, vehicle: nil)] } + [.updateTrip(trip, vehicle: "v1")],
            tripVehicle: "v1"),
        Row(
            grant: grant(.driver, vehicle: "*"),
            allowed: vehicles.flatMap { [.getVehicle($0), .updateVehicle($0)] } + [
                .searchTrips(vehicle: "v1"), .searchTrips(vehicle: "v2"),
            ]
                + trips.flatMap { [.getTrip($0), .updateTrip($0, vehicle: nil)] } + driverGiven,
            tripVehicle: "v1"),
        Row(
            grant: grant(.driver, vehicle: "*"),
            allowed: vehicles.flatMap { [.getVehicle($0), .updateVehicle($0)] } + [
                .searchTrips(vehicle: "v1"), .searchTrips(vehicle: "v2"),
            ]),
        // A token for one trip gives no access to the other trips of the same vehicle.
        Row(
            grant: grant(.driver, trip: "t9", vehicle: "v1"), allowed: driverVehicle, tripVehicle: "v1"),
    ]

    @Test("each role may do exactly what the table says", arguments: rows)
    func table(row: Row) {
        for call in Self.all {
            let decision = RoleTable.decision(row.grant, call, tripVehicle: row.tripVehicle)
            #expect((decision == .allowed) == row.allowed.contains(call), "\(call): \(decision)")
        }
    }

    @Test("a refusal says whether the role or the id is the reason")
    func reasons() {
        let driver = Self.grant(.driver, vehicle: "v1")
        #expect(
            RoleTable.decision(driver, .createVehicle(Self.vehicle))
                == .denied("a driver account is not allowed to call CreateVehicle"))
        #expect(RoleTable.decision(driver, .getVehicle(Self.otherVehicle)) == .denied("the token is not for this vehicle"))
        #expect(RoleTable.decision(driver, .getTrip(Self.trip)) == .denied("the token is not for this trip"))
        #expect(
            RoleTable.decision(Self.grant(.server, trip: "*"), .deleteTrip(Self.trip))
                == .denied("a server account is not allowed to call DeleteTrip"))
    }

    @Test("the engine is asked for a trip's vehicle only where a driver's token names no trip")
    func lookUps() {
        for row in Self.rows {
            for call in Self.all {
                let isAsked = RoleTable.tripToLookUp(row.grant, call) != nil
                let isTripCall = [EngineCall.getTrip(Self.trip), .getTrip(Self.otherTrip)].contains(call) || call.rpc == .updateTrip
                if row.grant.role != .driver || row.grant.tripID != nil || !isTripCall { #expect(!isAsked, "\(row.grant.role) \(call)") }
            }
        }
        #expect(RoleTable.tripToLookUp(Self.grant(.driver, vehicle: "v1"), .getTrip(Self.trip)) == Self.trip)
    }

    @Test("a rider sees trips, stops and attributes of the vehicle that serves the trip")
    func hiding() {
        #expect(!RoleTable.hidesTrips(Self.grant(.consumer, trip: "t1"), currentTrips: ["t0", "t1"]))
        #expect(RoleTable.hidesTrips(Self.grant(.consumer, trip: "t1"), currentTrips: ["t0"]))
        #expect(RoleTable.hidesTrips(Self.grant(.consumer, trip: "t1"), currentTrips: []))
        #expect(RoleTable.hidesTrips(Self.grant(.consumer, vehicle: "v1"), currentTrips: ["t1"]))
        #expect(!RoleTable.hidesTrips(Self.grant(.consumer, trip: "*"), currentTrips: ["t1"]))
        for role in [AccountRole.driver, .server, .admin] {
            #expect(!RoleTable.hidesTrips(Self.grant(role, vehicle: "*"), currentTrips: []))
        }
    }
}
