import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import PhoneIntake
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Phones with inaccurate positions", .timeLimit(.minutes(1)))
struct PhoneAccuracyTests {
    private let time = ManualTimeSource()
    private let desk: ProviderDesk
    private let phones: PhoneDesk

    init() {
        let engine = LocalFleetEngine(time: time)
        let numbers = IDs()
        desk = ProviderDesk(provider: "plain", engine: engine, time: time) { numbers.next() }
        phones = PhoneDesk(desk: desk, settings: PhoneSettings())
    }

    private func car(_ id: String) async throws -> VehicleName {
        try #require(phones.car(key: try await phones.book(id, isManual: false).key)).name
    }

    private func report(_ car: VehicleName, east: Double, accuracy: Double?) async throws {
        time.advance(by: 10)
        var fix = PhoneFix(coordinate: World.place(east: east), time: time.now())
        fix.speedMetersPerSecond = 0
        fix.accuracyMeters = accuracy
        #expect(try await phones.report([fix], of: car))
    }

    private func status(_ trip: String) async throws -> TripStatus { TripStatus(try await desk.trip(trip).tripStatus) }

    @Test("only accurate fixes let a trip arrive, go on and end; other fixes are shown with their accuracy")
    func trip() async throws {
        let car = try await car("car-1")
        try await report(car, east: 0, accuracy: 5)
        _ = try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive)
        await phones.passTime()
        let reports: [(east: Double, accuracy: Double?, status: TripStatus)] = [
            (970, 2_200, .enrouteToPickup), (970, nil, .arrivedAtPickup), (1_000, 8, .arrivedAtPickup), (1_900, 3_000, .arrivedAtPickup),
            (1_900, 50, .enrouteToDropoff), (3_990, 3_000, .enrouteToDropoff), (3_990, 51, .enrouteToDropoff), (3_990, 12, .complete),
        ]
        for (east, accuracy, expected) in reports {
            try await report(car, east: east, accuracy: accuracy)
            #expect(try await status("t1") == expected, "\(east) \(accuracy ?? -1)")
            let told = try await desk.vehicle("car-1").lastLocation
            #expect(told.location.coordinate.distanceMeters(to: World.place(east: east)) < 0.01)
            #expect(told.hasLatlngAccuracy == (accuracy != nil) && told.latlngAccuracy.value == accuracy ?? 0)
        }
    }

    @Test("a phone without a fix sends 0,0: its car stays OFFLINE without a position, and gets no trip before its first fix")
    func zeroPlace() async throws {
        try await ProviderHarness.with { desk in
            struct Key: Decodable { let key: String }
            let booked = try await desk.ask("POST", "/car/new", #"{"vehicleId":"car-7"}"#)
            let key = try JSONDecoder().decode(Key.self, from: Data(booked.text.utf8)).key
            for request in ["gpslogger?lat=0.0&lon=0.0&speed=0.0&accuracy=", "osmand?location=0,0&speed=0"] {
                #expect(try await desk.ask("GET", "/car/\(key)/\(request)").status == 200)
            }
            let lost = try await desk.desk.vehicle("car-7")
            #expect(lost.vehicleState == .offline && !lost.hasLastLocation)
            let trip = try await desk.desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive)
            #expect(trip.vehicleID.isEmpty)
            let place = World.place(east: 10)
            let report = "/car/\(key)/osmand?lat=\(place.latitude)&lon=\(place.longitude)&speed=0"
            #expect(try await desk.ask("GET", report).status == 200)
            #expect(try await desk.desk.trip("t1").vehicleID == "car-7")
        }
    }

    @Test("of two cars, the one that is certainly nearer gets the trip")
    func nearest() async throws {
        let vague = try await car("vague")
        let sure = try await car("sure")
        try await report(vague, east: 990, accuracy: 2_200)
        try await report(sure, east: 400, accuracy: 6)
        #expect(try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive).vehicleID == "sure")
        #expect(try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive).vehicleID == "vague")
    }
}
