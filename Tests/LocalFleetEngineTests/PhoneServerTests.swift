import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Phones at the provider API's port", .timeLimit(.minutes(1)))
struct PhoneServerTests {
    /// A car and its key.
    private struct Car {
        let desk: ProviderHarness
        let key: String

        init(_ desk: ProviderHarness, manual: Bool = false) async throws {
            self.desk = desk
            let answer = try await desk.ask("POST", "/car/new", #"{"vehicleId":"car-7","manual":\#(manual)}"#)
            let body = try JSONDecoder().decode(CarKeyBody.self, from: Data(answer.text.utf8))
            #expect(answer.status == 200 && body.vehicleId == "car-7")
            key = body.key
        }

        /// Reports a position in OsmAnd's format.
        /// - Returns: the status of the answer.
        @discardableResult
        func report(east: Double, speed: Double? = 0, secondsAgo: Double = 0, _ rest: String = "") async throws -> Int {
            let place = World.place(east: east)
            let time = Int64(((desk.time.now().timeIntervalSince1970 - secondsAgo) * 1_000).rounded())
            let speed = speed.map { "&speed=\($0)" } ?? ""
            let query = "lat=\(place.latitude)&lon=\(place.longitude)&timestamp=\(time)\(speed)\(rest)"
            return try await desk.ask("GET", "/car/\(key)/osmand?\(query)").status
        }

        func vehicle() async throws -> WireVehicle { try await desk.desk.vehicle("car-7") }

        /// Advances the clock, and lets the engine make the changes that are due for cars, as the server does.
        func wait(_ seconds: Double) async {
            desk.time.advance(by: seconds)
            await desk.engine.passPhoneTime(PhoneSettings())
        }
    }

    private func book(_ desk: ProviderHarness, stops: [Coordinate] = []) async throws -> String {
        let trip = try await desk.desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: stops, type: .exclusive)
        return trip.name.split(separator: "/").last.map(String.init) ?? ""
    }

    private func status(_ desk: ProviderHarness, _ id: String) async throws -> TripStatus {
        TripStatus(try await desk.desk.trip(id).tripStatus)
    }

    @Test("a car is OFFLINE and gets no trip until its first fix; then its trip moves with it, stop by stop, to its end")
    func wholeTrip() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            #expect(try await car.vehicle().vehicleState == .offline)
            let trip = try await book(desk, stops: [World.place(east: 2_000)])
            #expect(try await status(desk, trip) == .new)
            #expect(try await desk.desk.trip(trip).vehicleID.isEmpty)
            try await car.report(east: 0, speed: 10)
            #expect(try await car.vehicle().vehicleState == .online)
            await car.wait(1)
            #expect(try await status(desk, trip) == .enrouteToPickup)
            var seen: [TripStatus] = []
            // The car stops at each stop, and continues a little later.
            for (east, speed) in [(970.0, 10.0), (990, 0), (1_050, 8), (1_200, 10), (2_000, 0), (2_300, 10), (3_990, 10), (4_000, 0)] {
                desk.time.advance(by: 10)
                try await car.report(east: east, speed: speed)
                seen.append(try await status(desk, trip))
            }
            #expect(
                seen == [
                    .enrouteToPickup, .arrivedAtPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
                    .arrivedAtIntermediateDestination, .enrouteToDropoff, .enrouteToDropoff, .complete,
                ])
        }
    }

    @Test("a PUT has priority: after it, nothing moves until the car was at the next stop; a manual car never moves its trips")
    func deskWins() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            try await car.report(east: 0)
            let trip = try await book(desk)
            await car.wait(1)
            _ = try await desk.ask("PUT", "/trip/\(trip)", #"{"status":"NEW"}"#)
            for east in [100.0, 500] {
                await car.wait(5)
                try await car.report(east: east)
                #expect(try await status(desk, trip) == .new)
            }
            await car.wait(5)
            try await car.report(east: 1_000)
            #expect(try await status(desk, trip) == .arrivedAtPickup)
            _ = try await desk.ask("PUT", "/trip/\(trip)", #"{"status":"CANCELED"}"#)
            await car.wait(5)
            try await car.report(east: 4_000)
            #expect(try await status(desk, trip) == .canceled)
        }
        try await ProviderHarness.with { desk in
            let car = try await Car(desk, manual: true)
            try await car.report(east: 0)
            let trip = try await book(desk)
            await car.wait(5)
            try await car.report(east: 1_000)
            #expect(try await desk.desk.trip(trip).vehicleID == "car-7")
            #expect(try await status(desk, trip) == .new)
        }
    }

    @Test("the newest fix is the position, with its own time; a late fix is accepted but not shown")
    func lateFixes() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            try await car.report(east: 100, secondsAgo: 4, "&accuracy=5&bearing=90")
            #expect(try await car.report(east: 50, secondsAgo: 60) == 200)
            #expect(try await car.report(east: 999, secondsAgo: 4) == 200)
            let told = try await car.vehicle().lastLocation
            #expect(told.location.coordinate.distanceMeters(to: World.place(east: 100)) < 0.01)
            #expect(told.updateTime.moment == desk.time.now().addingTimeInterval(-4))
            #expect(told.latlngAccuracy.value == 5 && told.heading.value == 90 && told.speed.value == 0)
            // The driven path contains both fixes, sorted by time.
            let line = try #require(try await driven(desk).features.first)
            #expect(line.properties.name == "car-7" && line.properties.coordTimes.count == 2 && line.geometry.type == "LineString")
            #expect(line.geometry.coordinates == [50.0, 100].map { [World.place(east: $0).longitude, World.place(east: $0).latitude] })
            #expect(line.properties.coordTimes == line.properties.coordTimes.sorted())
            #expect(try await desk.ask("GET", "/vehicle/car-8/driven").status == 404)
        }
    }

    @Test("a removed vehicle's path is not passed on to a new one of the same name; a new key keeps the car's path")
    func removedWay() async throws {
        try await ProviderHarness.with { desk in
            var car = try await Car(desk)
            try await car.report(east: 50, secondsAgo: 60)
            car = try await Car(desk)
            try await car.report(east: 100, secondsAgo: 4)
            #expect(try await driven(desk).features.map(\.geometry.coordinates.count) == [2])
            let name = try await car.vehicle().name
            try await desk.desk.engine.deleteVehicle(.with { $0.name = name })
            car = try await Car(desk)
            #expect(try await driven(desk).features.isEmpty)
            try await car.report(east: 200, secondsAgo: 1)
            #expect(try await driven(desk).features.isEmpty)
        }
    }

    private struct Driven: Decodable {
        struct Feature: Decodable {
            struct Line: Decodable { let type: String, coordinates: [[Double]] }
            struct Properties: Decodable { let name: String, coordTimes: [String] }
            let properties: Properties, geometry: Line
        }
        let features: [Feature]
    }

    private func driven(_ desk: ProviderHarness) async throws -> Driven {
        let answer = try await desk.ask("GET", "/vehicle/car-7/driven")
        return try JSONDecoder().decode(Driven.self, from: Data(answer.text.utf8))
    }

    @Test("a phone that is quiet for over five minutes gets no trip, and one that wakes gets it at once")
    func quiet() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            // The phone stored this report while it had no connection. The position is old, so the car stays offline.
            try await car.report(east: 0, secondsAgo: 1_200)
            #expect(try await car.vehicle().vehicleState == .offline)
            try await car.report(east: 0)
            await car.wait(300)
            #expect(try await car.vehicle().vehicleState == .online)
            await car.wait(1)
            #expect(try await car.vehicle().vehicleState == .offline)
            let trip = try await book(desk)
            #expect(try await desk.desk.trip(trip).vehicleID.isEmpty)
            await car.wait(900)
            try await car.report(east: 10)
            #expect(try await desk.desk.trip(trip).vehicleID == "car-7")
        }
    }

    @Test("OsmAnd's arrival and distance become the trip's, and lapse with the next fix or after a minute")
    func navigation() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            try await car.report(east: 0)
            let trip = try await book(desk)
            let arrival = desk.time.now().addingTimeInterval(240)
            let guided = "&eta=\(Int64(arrival.timeIntervalSince1970 * 1_000))&eta_next=0&left_m=1700&left_next_m=0"
            func isGuided() async throws -> Bool {
                let now = try await desk.desk.trip(trip)
                return now.pickupTime.moment == arrival && now.remainingDistanceMeters.value == 1_700
            }
            #expect(try await !isGuided())
            await car.wait(5)
            try await car.report(east: 1, guided)
            #expect(try await isGuided())
            await car.wait(5)
            try await car.report(east: 2)
            #expect(try await !isGuided())
            await car.wait(5)
            try await car.report(east: 3, guided)
            #expect(try await isGuided())
            await car.wait(61)
            #expect(try await !isGuided())
        }
    }

    @Test("an arrival in the past is ignored, but the distance beside it is used")
    func pastArrival() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            try await car.report(east: 0)
            let trip = try await book(desk)
            await car.wait(5)
            let past = Int64((desk.time.now().timeIntervalSince1970 - 30) * 1_000)
            try await car.report(east: 1, "&eta=\(past)&left_m=1700")
            let now = try await desk.desk.trip(trip)
            #expect(now.pickupTime.moment > desk.time.now() && now.remainingDistanceMeters.value == 1_700)
        }
    }

    @Test("a fix that the car cannot have reached is answered, left out and counted; if further fixes agree, they are accepted")
    func jumps() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            try await car.report(east: 0, speed: nil, "&accuracy=8")
            func east() async throws -> Double {
                try await car.vehicle().lastLocation.location.coordinate.distanceMeters(to: World.place(east: 0)).rounded()
            }
            let told = try await car.vehicle().lastLocation
            #expect(told.rawLocation == told.location && told.rawLocationTime == told.updateTime && told.rawLocationSensor == .gps)
            #expect(told.rawLocationAccuracy.value == 8)
            await car.wait(1)
            #expect(try await car.report(east: 77_000, speed: nil, "&accuracy=8") == 200)
            #expect(try await east() == 0 && desk.engine.discardedJumps == 1)
            await car.wait(1)
            try await car.report(east: 20, speed: nil, "&accuracy=8")
            #expect(try await east() == 20)
            #expect(try await car.vehicle().lastLocation.speed.value.rounded() == 10)
            // The car was moved far away while the phone was off. The third fix at the new position is accepted.
            for step in 1...3 {
                await car.wait(10)
                try await car.report(east: 90_000 + 100 * Double(step), speed: nil, "&accuracy=8")
            }
            #expect(try await east() == 90_300 && desk.engine.discardedJumps == 3)
            #expect(try await !car.vehicle().lastLocation.hasSpeed)
            // The fix is accepted, because it is so inaccurate that the car may be near the last fix.
            await car.wait(1)
            try await car.report(east: 91_000, "&accuracy=900")
            #expect(try await east() == 91_000)
        }
    }

    @Test("each app reports at its own address, and OwnTracks at /pub with HTTP Basic")
    func addresses() async throws {
        try await ProviderHarness.with { desk in
            let car = try await Car(desk)
            let now = Int64(desk.time.now().timeIntervalSince1970)
            let place = World.place(east: 10)
            let (lat, lon) = (place.latitude, place.longitude)
            let ownTracks = #"{"_type":"location","lat":\#(lat),"lon":\#(lon),"tst":\#(now)}"#
            let position = #"{"latitude":\#(lat),"longitude":\#(lon)}"#
            let posts = [
                ("owntracks", ownTracks, "[]"), ("owntracks", "", "[]"), ("owntracks", #"{"_type":"card"}"#, "[]"),
                ("traccar", #"{"location":{"coords":\#(position)}}"#, ""), ("forward", #"{"position":\#(position)}"#, ""),
                ("overland", #"{"locations":[{"geometry":{"coordinates":[\#(lon),\#(lat)]}}]}"#, #"{"result":"ok"}"#),
                ("gpslogger", "lat=\(lat)&lon=\(lon)", ""), ("traccar", "id=car-7&lat=\(lat)&lon=\(lon)", ""),
                ("osmand", "lat=999&lon=0", ""), ("traccar", "id=car-7&batt=41&charge=true", ""),
                ("traccar", #"{"device_id":"car-7","location":{"event":"heartbeat"}}"#, ""),
                ("overland", #"{"locations":[]}"#, #"{"result":"ok"}"#),
            ]
            for (app, body, expected) in posts {
                let answer = try await desk.ask("POST", "/car/\(car.key)/\(app)", body)
                #expect(answer.status == 200 && answer.text == expected, "\(app) \(body)")
            }
            let login = "Basic " + Data("car-7:\(car.key)".utf8).base64EncodedString()
            for path in ["/pub", "/pub/", "/pub?u=car-7&d=phone"] {
                let pub = try await desk.ask("POST", path, ownTracks, headers: [("Authorization", login)])
                #expect(pub.status == 200 && pub.text == "[]", "\(path)")
            }
            for path in ["//car/\(car.key)/owntracks", "/car/\(car.key)/owntracks/"] {
                #expect(try await desk.ask("POST", path, ownTracks).status == 200, "\(path)")
            }
            #expect(try await desk.ask("POST", "/car/\(car.key)/owntracks", "{").status == 400)
            let half = try await desk.ask("GET", "/car/\(car.key)/osmand?lat=1")
            #expect(half.status == 400 && half.text.contains("it needs lat and lon as numbers"))
            #expect(try await desk.ask("GET", "/car/\(car.key)/telex").status == 404)
            let huge = String(repeating: " ", count: desk.limits.bodyBytes + 1)
            #expect(try await desk.ask("POST", "/car/\(car.key)/traccar", huge).status == 413)
        }
    }

    @Test("a wrong key learns nothing; a new key ends the old one; without an id there is no car")
    func keys() async throws {
        try await ProviderHarness.with { desk in
            let old = try await Car(desk)
            try await old.report(east: 0)
            let car = try await Car(desk)
            #expect(old.key != car.key)
            #expect(try await car.report(east: 5) == 200)
            #expect(try await car.vehicle().vehicleState == .online)
            let wrong = [
                ("/car/\(old.key)/osmand?lat=1&lon=1", ""), ("/car/car-7/osmand", ""), ("/car/x/telex", ""), ("/pub", ""),
                ("/pub", "Basic " + Data("car-8:\(car.key)".utf8).base64EncodedString()),
                ("/pub", "Basic %%%"), ("/pub", "Bearer \(car.key)"),
            ]
            var answers: Set<String> = []
            for (path, login) in wrong {
                let headers = login.isEmpty ? [] : [(name: "Authorization", value: login)]
                let answer = try await desk.ask("POST", path, "", headers: headers)
                #expect(answer.status == 401 && answer.headers("WWW-Authenticate") == "Basic")
                answers.insert(answer.text)
            }
            #expect(answers.count == 1)
            for body in ["{}", #"{"vehicleId":""}"#, #"{"vehicleId":"a/b"}"#, #"{"vehicleId":"a","manual":7}"#, "["] {
                #expect(try await desk.ask("POST", "/car/new", body).status == 400, "\(body)")
            }
            _ = try await desk.engine.deleteVehicle(.with { $0.name = "providers/plain/vehicles/car-7" })
            #expect(try await car.report(east: 6) == 401)
        }
    }

    @Test("the phone's key gives access only to its own address, and is in no log")
    func paths() {
        for path in ["/car/KEY/osmand", "//car/KEY/traccar/", "/pub"] { #expect(PhonePath.opens(path), "\(path)") }
        for path in ["/car/new", "/car/new/", "//car//new", "/car", "/trip/new", "/car/KEY", "/car/a/b/c", "/x/pub"] {
            #expect(!PhonePath.opens(path), "\(path)")
        }
        #expect(PhonePath.shown("/car/KEY/osmand") == "/car/-/osmand" && PhonePath.shown("//car//KEY") == "//car//-")
        #expect(PhonePath.shown("/car/new") == "/car/new" && PhonePath.shown("/trip/t1") == "/trip/t1" && PhonePath.shown("/car") == "/car")
        #expect(PhonePath.shown("/car/new/osmand") == "/car/-/osmand" && PhonePath.shown("/car/car/KEY") == "/car/-/-")
        #expect(PhonePath.shown("/car/x/../KEY/osmand") == "/car/-/-/-/-" && PhonePath.shown("/car/KEY/") == "/car/-/")
    }
}
