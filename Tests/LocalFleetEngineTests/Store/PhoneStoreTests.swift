import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineSnapshot
import FoundationEssentials
import Geo
import PhoneIntake
import SwiftProtobuf
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Phones in a store", .timeLimit(.minutes(1)))
struct PhoneStoreTests {
    private let folder: StoreFolder
    private let old = PhoneKey(of: "old")
    private let new = PhoneKey(of: "new")

    init() throws { folder = try StoreFolder() }

    private func fix(_ seconds: Double, east: Double) -> PhoneFix {
        var fix = PhoneFix(coordinate: World.place(east: east), time: World.start.addingTimeInterval(seconds))
        fix.accuracyMeters = 5
        fix.bearingDegrees = 90
        fix.altitudeMeters = -3
        fix.navigation = PhoneNavigation(arrival: World.start.addingTimeInterval(300), remainingMeters: 1_000)
        return fix
    }

    /// Creates a car that is at its pickup. Its phone uses its second key, and has just reported an impossible position.
    private func fill(_ state: inout FleetEngineState) throws -> VehicleName {
        _ = try state.createVehicle(.new("car"), now: World.start)
        let name = try #require(state.vehicles.keys.first)
        for key in [old, new] { _ = try state.addPhone(key, isManual: false, to: name, now: World.start) }
        _ = try state.reportPhone([fix(0, east: 900)], of: name, PhoneSettings(), now: World.start)
        _ = try state.createTrip(.new("t1") { $0.trip.vehicleID = "car" }, now: World.start)
        for (seconds, east) in [(10.0, 1_000.0), (20, 1_000), (21, 80_000)] {
            let now = World.start.addingTimeInterval(seconds)
            _ = try state.reportPhone([fix(seconds, east: east)], of: name, PhoneSettings(), now: now)
        }
        #expect(state.trips.values.first?.status == .arrivedAtPickup && state.discardedJumps == 1)
        return name
    }

    @Test("after a restart, the key is accepted, the old one is not, and the car goes on where it was")
    func start() throws {
        let name: VehicleName
        let before: FleetEngineState
        do {
            var (store, state) = try folder.open()
            name = try fill(&state)
            try store.write(state)
            before = state
        }
        var (_, state) = try folder.open()
        #expect(state == before)
        #expect(state.phoneOwners == [new: name])
        #expect(state.vehicles[name]?.phone?.jumps.count == 1)
        let now = World.start.addingTimeInterval(40)
        // The engine still knows the car's last position, and that the car was at its stop.
        let location = try #require(state.vehicles[name]).vehicle.lastLocation
        _ = try state.reportPhone([fix(15, east: 500)], of: name, PhoneSettings(), now: now)
        #expect(state.vehicles[name]?.vehicle.lastLocation == location && state.vehicles[name]?.phone?.lastHeard == now)
        _ = try state.reportPhone([fix(40, east: 1_300)], of: name, PhoneSettings(), now: now)
        #expect(state.trips.values.first?.status == .enrouteToDropoff)
    }

    @Test("no export has a key; after a reset, a car that had a phone at the start keeps its key, and others have none")
    func exportAndReset() throws {
        var state = FleetEngineState()
        let name = try fill(&state)
        let text = String(decoding: state.export().json, as: UTF8.self)
        #expect(!text.lowercased().contains("phone") && !text.contains("digest"))
        var other = FleetEngineState()
        _ = try other.load(state.export(), now: World.start)
        #expect(other.phoneOwners.isEmpty && other.vehicleCount == 1)
        let snapshot = state.export()
        let now = World.start.addingTimeInterval(60)
        var kept = state
        _ = try kept.restart(with: EngineStart(snapshot: snapshot, phones: [name]), now: now)
        #expect(kept.phoneOwners == [new: name] && kept.vehicles[name]?.phone?.car.newest == nil)
        _ = try state.restart(with: EngineStart(snapshot: snapshot), now: now)
        #expect(state.phoneOwners.isEmpty && state.vehicles[name] != nil)
    }

    @Test("a key's expiry and the time of the phone's last report survive a restart")
    func ends() throws {
        let (end, heard) = (World.start.addingTimeInterval(86_400), World.start.addingTimeInterval(5))
        let name: VehicleName
        do {
            var (store, state) = try folder.open()
            _ = try state.createVehicle(.new("car"), now: World.start)
            name = try #require(state.vehicles.keys.first)
            _ = try state.addPhone(new, isManual: false, end: end, to: name, now: World.start)
            _ = try state.reportPhone([], of: name, PhoneSettings(), now: heard)
            try store.write(state)
        }
        var (_, state) = try folder.open()
        #expect(state.vehicles[name]?.phone?.keyEnd == end && state.vehicles[name]?.phone?.lastHeard == heard)
        _ = try state.addPhone(old, isManual: false, to: name, now: heard)
        #expect(state.vehicles[name]?.phone?.keyEnd == nil && state.vehicles[name]?.phone?.lastHeard == nil)
    }

    @Test("a store of version 2 is upgraded, so an older program cannot accept an expired key; its keys have no expiry")
    func olderVersion() throws {
        let before: FleetEngineState
        do {
            var (store, state) = try folder.open()
            _ = try fill(&state)
            try store.write(state)
            before = state
        }
        try folder.bringToVersion2()
        do {
            let state = try folder.open().state
            #expect(state == before && state.vehicles.values.first?.phone?.keyEnd == nil)
        }
        #expect(try folder.version() == 4)
    }

    @Test("a revoked key is gone at once, its car gets no trip, and a car without a key is not found")
    func revoked() throws {
        var state = FleetEngineState()
        let name = try fill(&state)
        #expect(state.vehicles[name]?.vehicle.vehicleState == .online)
        _ = try state.revokePhone(of: name, now: World.start.addingTimeInterval(30))
        #expect(state.phoneOwners.isEmpty && state.vehicles[name]?.phone == nil)
        #expect(state.vehicles[name]?.vehicle.vehicleState == .offline)
        let error = #expect(throws: FleetEngineError.self) { try state.revokePhone(of: name, now: World.start) }
        #expect(error?.code == .notFound)
    }

    @Test("when a vehicle is deleted, its phone's key is gone too")
    func deleted() throws {
        var state = FleetEngineState()
        let name = try fill(&state)
        for trip in state.trips.values {
            let over = WireUpdateTripRequest.with {
                $0.name = trip.name.description
                $0.updateMask.paths = ["trip_status"]
                $0.trip.tripStatus = .canceled
            }
            _ = try state.updateTrip(over, now: World.start)
            _ = try state.deleteTrip(.with { $0.name = trip.name.description }, now: World.start)
        }
        _ = try state.deleteVehicle(.with { $0.name = name.description }, now: World.start)
        #expect(state.phoneOwners.isEmpty)
        #expect(throws: FleetEngineError.self) { try state.reportPhone([], of: name, PhoneSettings(), now: World.start) }
        _ = try state.createVehicle(.new("car"), now: World.start)
        #expect(state.phoneOwners.isEmpty)
    }

    @Test("a damaged record is reported, and no part of it is used")
    func damaged() throws {
        var phone = StoredPhone(PhoneRecord(key: new, isManual: true))
        #expect(try phone.record() == PhoneRecord(key: new, isManual: true))
        phone.keyDigest = String(phone.keyDigest.dropLast())
        #expect(throws: DamagedRecordError.self) { try phone.record() }
        phone = StoredPhone(PhoneRecord(key: new, isManual: true))
        phone.newest.latitude = 900
        #expect(throws: DamagedRecordError.self) { try phone.record() }
        phone.newest.latitude = 9
        phone.newest.time = .nan
        #expect(throws: DamagedRecordError.self) { try phone.record() }
    }
}
