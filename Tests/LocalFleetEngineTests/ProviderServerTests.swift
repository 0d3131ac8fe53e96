import FleetEngine
import FoundationEssentials
import ProviderBackend
import Testing

@testable import LocalFleetEngine

@Suite("The provider's desk over HTTP", .timeLimit(.minutes(1)))
struct ProviderServerTests {
    private static let ride = #"{"pickup":{"latitude":10,"longitude":20},"dropoff":{"latitude":10.02,"longitude":20.01}}"#

    @Test("a trip from booking to cancelling, through the client")
    func wholeTrip() async throws {
        try await ProviderHarness.with { harness in
            let client = try harness.client()
            let stop = World.place(east: 500)
            let name = try await client.book(from: World.centre, to: World.dropoff, via: [stop])
            #expect(name.description == "providers/plain/trips/t1")
            let trip = try await client.trip("t1")
            #expect(trip.status == .new && trip.vehicleID == nil)
            try await client.cancel("t1")
            #expect(try await client.trip("t1").status == .canceled)
            try await client.cancel("t1")
            let text = try await harness.ask("GET", "/trip/t1").text
            for word in ["PICKUP_WAYPOINT_TYPE", "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE", "DROP_OFF_WAYPOINT_TYPE", "\"heading\":0"] {
                #expect(text.contains(word), "\(text)")
            }
        }
    }

    @Test(
        "bookings that cannot be made",
        arguments: [
            "", "{}", "[]", "nonsense", String(repeating: "[", count: 200_000), #"{"pickup":{"latitude":10,"longitude":20}}"#,
            #"{"pickup":{"latitude":10,"longitude":20},"dropoff":{"latitude":91,"longitude":20}}"#,
            #"{"pickup":{"latitude":10},"dropoff":{"latitude":9,"longitude":20}}"#,
            #"{"pickup":{"latitude":1e999,"longitude":20},"dropoff":{"latitude":9,"longitude":20}}"#,
            #"{"pickup":{"latitude":10,"longitude":20},"dropoff":{"latitude":9,"longitude":20},"tripType":"FLYING"}"#,
            #"{"pickup":{"latitude":10,"longitude":20},"dropoff":{"latitude":9,"longitude":20},"intermediateDestinations":[{}]}"#,
        ])
    func badBookings(body: String) async throws {
        try await ProviderHarness.with { harness in
            let answer = try await harness.ask("POST", "/trip/new", body)
            #expect(answer.status == 400 && answer.text.contains("\"message\"") && answer.text.contains("\"status\":400"))
            let trips = await harness.engine.snapshot.trips
            #expect(trips.isEmpty)
        }
    }

    @Test("status updates: any case, with an index, and what is none")
    func statusUpdates() async throws {
        try await ProviderHarness.with { harness in
            #expect(try await harness.ask("POST", "/trip/new", Self.ride).status == 200)
            let answer = try await harness.ask("PUT", "/trip/t1", #"{"status":"enroute_to_pickup","intermediateDestinationIndex":0}"#)
            #expect(answer.status == 200 && answer.text.contains("\"tripStatus\":\"ENROUTE_TO_PICKUP\""), "\(answer.text)")
            for (path, body) in [
                ("/trip/t1", "{}"), ("/trip/t1", #"{"status":"FLYING"}"#), ("/trip/t1", #"{"status":5}"#), ("/trip/t1", ""),
                ("/trip/", #"{"status":"NEW"}"#), ("/trip", #"{"status":"NEW"}"#),
            ] {
                let refused = try await harness.ask("PUT", path, body)
                #expect(refused.status == 400 && refused.text.contains("\"message\""), "\(path) \(body)")
            }
            #expect(try await harness.ask("PUT", "/trip/t9", #"{"status":"NEW"}"#).status == 404)
        }
    }

    @Test(
        "what each path says without an id, with an unknown one, and when there is none such",
        arguments: [
            ("GET", "/trip", 400), ("GET", "/trip/", 400), ("GET", "/trip/t9", 404), ("GET", "/vehicle/none", 404),
            ("PUT", "/vehicle/none", 404), ("POST", "/trip/old", 404), ("POST", "/vehicle/old", 404), ("GET", "/elsewhere", 404),
            ("GET", "/healthz", 200), ("POST", "/vehicles", 200), ("PUT", "/vehicles/r1", 200), ("GET", "/trip/a%2Fb", 400),
        ])
    func paths(method: String, path: String, status: Int) async throws {
        try await ProviderHarness.with { harness in
            let body = method == "PUT" ? #"{"maximumCapacity":3}"# : method == "POST" ? "{}" : nil
            let answer = try await harness.ask(method, path, body)
            #expect(answer.status == status)
        }
    }

    @Test("a vehicle: made with defaults, changed in part, listed by its restaurant")
    func vehicles() async throws {
        try await ProviderHarness.with { harness in
            let made = try await harness.ask("POST", "/vehicle/new", #"{"vehicleId":"car"}"#)
            #expect(made.status == 200)
            for part in [
                #""name":"providers\/plain\/vehicles\/car""#, #""vehicleState":"ONLINE""#, #""maximumCapacity":4"#,
                #""supportedTripTypes":["EXCLUSIVE"]"#, #""backToBackEnabled":false"#, #""currentTripsIds":[]"#,
            ] { #expect(made.text.contains(part), "\(made.text)") }
            #expect(!made.text.contains("lastLocation"))
            let settings = #"{"maximumCapacity":5,"attributes":[{"key":"restaurantId","value":"r1"}],"supportedTripTypes":["SHARED"]}"#
            let changed = try await harness.ask("PUT", "/vehicle/car", settings)
            #expect(changed.status == 200)
            for part in [
                #""maximumCapacity":5"#, #""supportedTripTypes":["SHARED"]"#, #""backToBackEnabled":false"#, #""value":"r1""#,
            ] { #expect(changed.text.contains(part), "\(changed.text)") }
            #expect(try await harness.ask("POST", "/vehicle/new", #"{"vehicleId":"bus"}"#).status == 200)
            for (path, ids) in [
                ("/vehicles", ["car", "bus"]), ("/vehicles/", ["car", "bus"]), ("/vehicles/r1", ["car"]), ("/vehicles/r2", []),
            ] {
                let list = try await harness.ask("GET", path)
                let found = try JSONDecoder().decode([Named].self, from: Data(list.text.utf8)).map { $0.name.split(separator: "/").last }
                #expect(found == ids.map { $0[...] }, "\(path)")
            }
        }
    }

    private struct Named: Decodable { let name: String }

    @Test(
        "vehicles that cannot be made or changed",
        arguments: [
            ("POST", "/vehicle/new", "{}"), ("POST", "/vehicle/new", #"{"vehicleId":""}"#),
            ("POST", "/vehicle/new", #"{"vehicleId":"car"}"#),
            ("POST", "/vehicle/new", #"{"vehicleId":"a/b"}"#), ("POST", "/vehicle/new", #"{"vehicleId":"x","maximumCapacity":-1}"#),
            ("POST", "/vehicle/new", #"{"vehicleId":"x","supportedTripTypes":["FLYING"]}"#), ("PUT", "/vehicle/car", "{}"),
            ("PUT", "/vehicle/car", ""), ("PUT", "/vehicle/car", #"{"attributes":[{"key":"a:b","value":"c"}]}"#),
        ])
    func badVehicles(method: String, path: String, body: String) async throws {
        try await ProviderHarness.with { harness in
            _ = try await harness.ask("POST", "/vehicle/new", #"{"vehicleId":"car"}"#)
            let answer = try await harness.ask(method, path, body)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(try await harness.ask("GET", "/vehicle/x").status == 404)
        }
    }

    @Test("a capacity beyond all vehicles is taken as the largest that there is")
    func hugeCapacity() async throws {
        try await ProviderHarness.with { harness in
            let made = try await harness.ask("POST", "/vehicle/new", #"{"vehicleId":"car","maximumCapacity":99999999999999}"#)
            #expect(made.status == 200 && made.text.contains("\"maximumCapacity\":2147483647"), "\(made.text)")
        }
    }

    @Test("web pages of this machine may use the desk, others may not")
    func origins() async throws {
        try await ProviderHarness.with { harness in
            for origin in ["http://localhost:3000", "http://127.0.0.1:4200", "https://[::1]:8443"] {
                let preflight = try await harness.ask(
                    "OPTIONS", "/trip/new", headers: [("origin", origin), ("access-control-request-method", "POST")])
                #expect(preflight.status == 204 && preflight.headers("access-control-allow-origin") == origin)
                #expect(preflight.headers("access-control-allow-methods")?.contains("PUT") == true)
                #expect(preflight.headers("access-control-allow-headers")?.contains("X-Requested-With") == true)
                #expect(preflight.headers("access-control-max-age") == "3600")
                let token = try await harness.ask("GET", "/token/consumer/t1", headers: [("origin", origin)])
                #expect(token.status == 200 && token.headers("access-control-allow-origin") == origin)
            }
            let rebound = try await harness.ask(
                "POST", "/trip/new", Self.ride, headers: [("origin", "http://rebound.example"), ("host", "rebound.example")])
            #expect(rebound.status == 403, "a name that points at this machine")
            for origin in ["https://example.com", "null", "http://localhost.example.com", "file://", ""] {
                let booking = try await harness.ask("POST", "/trip/new", Self.ride, headers: [("origin", origin)])
                #expect(booking.status == 403, "\(origin)")
                let preflight = try await harness.ask("OPTIONS", "/trip/new", headers: [("origin", origin)])
                #expect(preflight.headers("access-control-allow-origin") == nil)
                let read = try await harness.ask("GET", "/vehicles", headers: [("origin", origin)])
                #expect(read.status == 200 && read.headers("access-control-allow-origin") == nil)
            }
            let trips = await harness.engine.snapshot.trips
            #expect(trips.isEmpty)
        }
    }

    @Test("a request beyond the largest size is refused, and the desk goes on")
    func tooLarge() async throws {
        try await ProviderHarness.with { harness in
            let body = #"{"pickup":""# + String(repeating: "x", count: ProviderServer.largestRequest) + "\"}"
            let answer = try? await harness.ask("POST", "/trip/new", body)
            #expect(answer?.status ?? 400 == 400)
            let health = try await harness.ask("GET", "/healthz")
            #expect(health.status == 200)
        }
    }
}
