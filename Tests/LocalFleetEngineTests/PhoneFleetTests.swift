import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import PhoneIntake
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Many phones, late phones and phones that sleep", .timeLimit(.minutes(2)))
struct PhoneFleetTests {
    /// The car's position (metres east) and speed for each second of a ride. The car drives to the pickup, waits ten seconds, drives to the
    /// drop-off, and waits ten seconds.
    private static let ride: [(east: Double, speed: Double)] =
        (0..<50).map { (Double($0) * 20, 20) } + (0..<10).map { _ in (1_000, 0) } + (1..<150).map { (1_000 + Double($0) * 20, 20) }
        + (0..<10).map { _ in (4_000, 0) }

    private func fix(_ second: Int, from start: Date) -> PhoneFix {
        let (east, speed) = Self.ride[second]
        var fix = PhoneFix(coordinate: World.place(east: east), time: start.addingTimeInterval(Double(second)))
        fix.speedMetersPerSecond = speed
        return fix
    }

    private static func phones(_ time: any TimeSource) -> (engine: LocalFleetEngine, desk: ProviderDesk, phones: PhoneDesk) {
        let engine = LocalFleetEngine(time: time)
        let numbers = IDs()
        let desk = ProviderDesk(provider: "plain", engine: engine, time: time) { numbers.next() }
        return (engine, desk, PhoneDesk(desk: desk, settings: PhoneSettings()))
    }

    @Test("thirty cars report every second, some fixes up to 40 s late: positions never go back, trips end, paths are complete")
    func late() async throws {
        let time = ManualTimeSource()
        let (engine, desk, phones) = Self.phones(time)
        let (start, last) = (time.now(), Self.ride.count - 1)
        var random = SeededRandom(seed: 30)
        var cars: [VehicleName] = []
        var due: [[(car: VehicleName, fix: PhoneFix)]] = Array(repeating: [], count: Self.ride.count)
        for number in 0..<30 {
            let key = try await phones.book("car-\(number)", isManual: false).key
            let car = try #require(phones.car(key: key)).name
            cars.append(car)
            for second in 0...last {
                let delay = second < last && Double.random(in: 0..<1, using: &random) < 0.1 ? Int.random(in: 1...40, using: &random) : 0
                due[min(last, second + delay)].append((car, fix(second, from: start)))
            }
        }
        var newest: [VehicleName: Date] = [:]
        for second in 0...last {
            for (car, fix) in due[second] {
                #expect(try await phones.report([fix], of: car))
                newest[car] = max(fix.time, newest[car] ?? fix.time)
            }
            if second == 5 {
                for _ in cars { _ = try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive) }
            }
            if second % 20 == 0 || second == last {
                for car in cars where newest[car] != nil {
                    let told = try await desk.vehicle(car.vehicle).lastLocation
                    #expect(told.updateTime.moment == newest[car], "\(car) after \(second) s")
                }
            }
            time.advance(by: 1)
            await engine.passPhoneTime(PhoneSettings())
        }
        for number in 1...30 {
            let trip = try await desk.trip("t\(number)")
            #expect(trip.tripStatus == .complete, "t\(number)")
        }
        let moving = Set(Self.ride.map(\.east)).count
        for car in cars {
            let driven = try await phones.driven(car.vehicle)
            #expect(driven.features.count == 1 && driven.features.first?.geometry.coordinates.count == moving, "\(car)")
        }
    }

    @Test("time is watched only while it can change a car: not before its first fix, nor once it is offline")
    func rest() async throws {
        let time = ManualTimeSource()
        let (engine, desk, phones) = Self.phones(time)
        let work = Task { await phones.run() }
        let car = try #require(phones.car(key: try await phones.book("car-1", isManual: false).key)).name
        #expect(!engine.phonesNeedTime)
        for _ in 0..<200 { await Task.yield() }
        #expect(time.deadlines.isEmpty)
        _ = try await phones.report([PhoneFix(coordinate: World.place(east: 0), time: time.now())], of: car)
        for _ in 0..<310 {
            await time.waitForSleepers()
            time.advance(by: 1)
            while time.deadlines.isEmpty, engine.phonesNeedTime { await Task.yield() }
            guard engine.phonesNeedTime else { break }
        }
        #expect(try await desk.vehicle("car-1").vehicleState == .offline)
        for _ in 0..<200 { await Task.yield() }
        #expect(time.deadlines.isEmpty)
        _ = try await phones.report([PhoneFix(coordinate: World.place(east: 0), time: time.now())], of: car)
        await time.waitForSleepers()
        work.cancel()
        await work.value
    }

    @Test("if the clock is put forward while a phone sleeps for twenty minutes, its car goes offline; one fix brings it back")
    func asleep() async throws {
        try await ProviderHarness.with(hasTestHooks: true) { harness in
            struct Key: Decodable { let key: String }
            let booked = try await harness.ask("POST", "/car/new", #"{"vehicleId":"car-7"}"#)
            let key = try JSONDecoder().decode(Key.self, from: Data(booked.text.utf8)).key
            func report(east: Double, later seconds: Double) async throws {
                let (place, time) = (World.place(east: east), harness.time.now().addingTimeInterval(seconds).timeIntervalSince1970)
                let query = "lat=\(place.latitude)&lon=\(place.longitude)&speed=0&timestamp=\(Int64(time * 1_000))"
                #expect(try await harness.ask("GET", "/car/\(key)/osmand?\(query)").status == 200)
            }
            try await report(east: 0, later: 0)
            #expect(try await harness.desk.vehicle("car-7").vehicleState == .online)
            #expect(try await harness.ask("PUT", "/_tripwatch/clock", #"{"advance_s":1200}"#).status == 200)
            #expect(try await harness.desk.vehicle("car-7").vehicleState == .offline)
            try await report(east: 500, later: 1_200)
            let awake = try await harness.desk.vehicle("car-7")
            #expect(awake.vehicleState == .online)
            #expect(awake.lastLocation.location.coordinate.distanceMeters(to: World.place(east: 500)) < 0.1)
        }
    }
}
