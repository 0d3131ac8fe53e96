public import FleetEngine
public import FleetEngineAPI
public import FoundationEssentials
import SwiftProtobuf

extension FleetEngineState {
    /// Creates a vehicle. Trips, routes, stops, distances and times in the request are ignored, because a vehicle gets them in later calls.
    ///
    /// - Parameter account: the account that creates the vehicle; see `EngineAccount`.
    /// - Throws: INVALID_ARGUMENT, ALREADY_EXISTS, RESOURCE_EXHAUSTED.
    public mutating func createVehicle(
        _ request: WireCreateVehicleRequest, account: String = EngineAccount.anonymous, now: Date
    ) throws(FleetEngineError) -> (answer: WireVehicle, changes: [Change]) {
        let provider = try Check.provider(request.parent)
        let name = try Check.vehicleName(provider: provider.provider, id: request.vehicleID)
        guard request.hasVehicle else { throw .invalid("vehicle", "vehicle is required") }
        let vehicle = try newVehicle(request.vehicle, name: name, now)
        guard vehicles[name] == nil else { throw .alreadyExists("vehicle", name) }
        guard vehicles.count < options.limits.vehicles else {
            throw .exhausted("vehicles", "this Fleet Engine holds at most \(options.limits.vehicles) vehicles: delete some first")
        }
        try options.limits.checkVehicles(of: account, count: vehicleHoldings[account])
        let record = VehicleRecord(
            name: name, serial: nextSerial, stamp: nextStamp(now), vehicle: vehicle, account: account, now: now)
        let change = Change.vehiclePut(record)
        apply(change)
        return (record.answer(now: now), [change])
    }

    /// Returns the vehicle as it is at `now`. A route and stops that have not changed since the versions in the request are left unset.
    ///
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND.
    public func getVehicle(_ request: WireGetVehicleRequest, now: Date) throws(FleetEngineError) -> WireVehicle {
        try vehicleRecord(request).answer(now: now, request: request)
    }

    package func vehicleRecord(_ request: WireGetVehicleRequest) throws(FleetEngineError) -> VehicleRecord {
        try vehicleRecord(try Check.vehicleName(request.name))
    }

    /// Changes the fields in the mask. A driver's app calls this every few seconds. An impossible position is dropped; see `JumpFilter`.
    ///
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED.
    public mutating func updateVehicle(
        _ request: WireUpdateVehicleRequest, now: Date
    ) throws(FleetEngineError) -> (answer: WireVehicle, changes: [Change]) {
        answered(try changeVehicle(request, now: now), now)
    }

    /// - Parameter judgesJumps: false for a position that a jump filter has already checked.
    mutating func updateVehicle(
        _ request: WireUpdateVehicleRequest, judgesJumps: Bool, now: Date
    ) throws(FleetEngineError) -> (answer: WireVehicle, changes: [Change]) {
        answered(try changeVehicle(request, judgesJumps: judgesJumps, now: now), now)
    }

    private func answered(_ made: (answer: VehicleRecord, changes: [Change]), _ now: Date) -> (answer: WireVehicle, changes: [Change]) {
        (made.answer.answer(now: now), made.changes)
    }

    /// Applies an `updateVehicle` call without building its answer, for callers that build their own answer from the vehicle.
    package mutating func changeVehicle(
        _ request: WireUpdateVehicleRequest, now: Date
    ) throws(FleetEngineError) -> (answer: VehicleRecord, changes: [Change]) {
        try changeVehicle(request, judgesJumps: !options.keepsJumps, now: now)
    }

    private mutating func changeVehicle(
        _ request: WireUpdateVehicleRequest, judgesJumps: Bool, now: Date
    ) throws(FleetEngineError) -> (answer: VehicleRecord, changes: [Change]) {
        let name = try Check.vehicleName(request.name)
        let fields = try UpdateMask.fields(request.updateMask, of: VehicleField.self, limits: options.limits)
        guard request.hasVehicle else { throw .invalid("vehicle", "vehicle is required") }
        let record = try vehicleRecord(name)
        let change = try VehicleChange(fields, request.vehicle, of: record, limits: options.limits, now: now)
        if let route = change.route, !route.isEmpty {
            let others = routePoints - record.approachPoints
            guard others + route.count <= options.limits.routePoints else {
                throw .exhausted(
                    "routes", "this Fleet Engine holds at most \(options.limits.routePoints) route points: send a shorter route")
            }
        }
        guard !fields.isEmpty else { return (record, []) }
        let context = context(now)
        var changes: [Change] = []
        var isJump = false
        changeVehicle(name, context, &changes) { isJump = $0.apply(change, judgesJumps: judgesJumps, context) }
        if isJump { discardedJumps += 1 }
        return (try vehicleRecord(name), changes)
    }

    /// Adds attributes to a vehicle, or changes those with the same keys. The vehicle's other attributes are kept.
    ///
    /// - Returns: all attributes after the merge.
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND.
    public mutating func updateVehicleAttributes(
        _ request: WireUpdateVehicleAttributesRequest, now: Date
    ) throws(FleetEngineError) -> (answer: WireUpdateVehicleAttributesResponse, changes: [Change]) {
        let name = try Check.vehicleName(request.name)
        let record = try vehicleRecord(name)
        guard !request.attributes.isEmpty else { throw .invalid("attributes", "attributes must not be empty") }
        let merged = try AttributeRules.merged(request.attributes, into: record.vehicle.attributes, limits: options.limits)
        var changes: [Change] = []
        changeVehicle(name, context(now), &changes) { vehicle in
            vehicle.vehicle.attributes = merged
            vehicle.updatedAt = now
        }
        return (.with { $0.attributes = merged }, changes)
    }

    /// Removes a vehicle.
    ///
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION while the vehicle serves trips.
    public mutating func deleteVehicle(_ request: WireDeleteVehicleRequest, now: Date) throws(FleetEngineError) -> [Change] {
        let name = try Check.vehicleName(request.name)
        let record = try vehicleRecord(name)
        if let trip = record.currentTrips.first {
            let others = record.currentTrips.count > 1 ? " and \(record.currentTrips.count - 1) more" : ""
            throw .failedPrecondition(
                "VEHICLE_ACTIVE", subject: name.description,
                "the vehicle serves trip \(trip)\(others): complete or cancel all its trips first")
        }
        let change = Change.vehicleRemoved(name)
        apply(change)
        return [change]
    }

    private func newVehicle(_ request: WireVehicle, name: VehicleName, _ now: Date) throws(FleetEngineError) -> WireVehicle {
        try VehicleChange.checkCategory(request)
        try VehicleChange.checkState(request.vehicleState)
        try VehicleChange.checkTypes(request.supportedTripTypes)
        try VehicleChange.checkCapacity(request.maximumCapacity)
        var vehicle = WireVehicle()
        vehicle.name = name.description
        vehicle.vehicleState = request.vehicleState
        vehicle.supportedTripTypes = request.supportedTripTypes
        vehicle.maximumCapacity = request.maximumCapacity
        vehicle.vehicleType = request.vehicleType
        vehicle.backToBackEnabled = request.backToBackEnabled
        vehicle.attributes = try AttributeRules.checked(request.attributes, limits: options.limits)
        if request.hasLicensePlate { vehicle.licensePlate = request.licensePlate }
        if request.hasLastLocation {
            vehicle.lastLocation = try LocationIntake.accepted(request.lastLocation, at: now, limits: options.limits)
        }
        vehicle.unknownFields = request.unknownFields
        try Check.size(vehicle, "vehicle", limits: options.limits)
        try VehicleChange.checkPlate(request)
        return vehicle
    }
}
