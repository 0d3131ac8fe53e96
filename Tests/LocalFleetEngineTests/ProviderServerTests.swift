import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import HTTPServing
import ProviderBackend
import ServerHarness
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The provider API over HTTP", .timeLimit(.minutes(1)))
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
        "the refusal of an invalid booking says what is wrong with it",
        arguments: [
            ("{bad", "must be a JSON object"), (#"{"pickup":{"latitude":1,"longitude":2}}"#, "pickup and dropoff are needed"),
            (#"{"pickup":{"latitude":95,"longitude":0},"dropoff":{"latitude":1,"longitude":2}}"#, "pickup needs a latitude from -90 to 90"),
            (#"{"pickup":{"latitude":1,"longitude":2},"dropoff":{"latitude":1,"longitude":181}}"#, "dropoff needs a latitude"),
        ])
    func badBookingWords(body: String, words: String) async throws {
        try await ProviderHarness.with { harness in
            let answer = try await harness.ask("POST", "/trip/new", body)
            #expect(answer.status == 400 && answer.text.contains(words), "\(answer.text)")
        }
    }

    @Test(
        "invalid bookings are refused",
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

    @Test("status updates: in any case, with an index, and invalid")
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

    @Test("a trip is assigned to the requested vehicle; an impossible assignment is refused, and nothing changes")
    func vehicleOfTrip() async throws {
        try await ProviderHarness.with { harness in
            for car in ["blue", "red"] {
                #expect(try await harness.ask("POST", "/vehicle/new", "{\"vehicleId\":\"\(car)\"}").status == 200)
            }
            #expect(try await harness.ask("POST", "/trip/new", Self.ride).status == 200)
            func put(_ vehicle: String, status: String = "NEW") async throws -> (status: Int, text: String) {
                let answer = try await harness.ask("PUT", "/trip/t1", "{\"status\":\"\(status)\",\"vehicleId\":\(vehicle)}")
                return (answer.status, answer.text)
            }
            for vehicle in [#""blue""#, #""red""#, #""red""#] {
                let answer = try await put(vehicle)
                #expect(answer.status == 200 && answer.text.contains("\"vehicleId\":\(vehicle)"), "\(answer.text)")
            }
            let long = "\"\(String(repeating: "x", count: 65))\""
            for (vehicle, status) in [
                (#""nobody""#, 404), (#""a/b""#, 400), (#""a\u0000b""#, 400), (#""a\u202eb""#, 404), (long, 400), ("5", 400), ("[]", 400),
            ] {
                let refused = try await put(vehicle)
                #expect(refused.status == status && refused.text.contains("\"message\""), "\(vehicle) \(refused)")
            }
            let empty = try await put(#""""#, status: "ENROUTE_TO_PICKUP")
            #expect(empty.status == 400 && empty.text.contains("status must be NEW"))
            #expect(try await harness.ask("GET", "/trip/t1").text.contains(#""vehicleId":"red""#))
            #expect(try await put(#""red""#, status: "ENROUTE_TO_PICKUP").status == 200)
        }
    }

    @Test(
        "each path has its status without an id and with an unknown one",
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

    @Test("a vehicle is created with defaults, changed in part, and listed by its restaurant")
    func vehicles() async throws {
        try await ProviderHarness.with { harness in
            let made = try await harness.ask("POST", "/vehicle/new", #"{"vehicleId":"car"}"#)
            #expect(made.status == 200)
            for part in [
                #""name":"providers/plain/vehicles/car""#, #""vehicleState":"ONLINE""#, #""maximumCapacity":4"#,
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

    @Test("plate, colour, model and driver become attributes; what a change leaves out stays", arguments: ["/vehicle/new", "/car/new"])
    func identity(path: String) async throws {
        try await ProviderHarness.with { harness in
            let made = try await harness.ask("POST", path, #"{"vehicleId":"car","plate":"KVX 204","color":"teal","driver":"Ada"}"#)
            #expect(made.status == 200, "\(made.text)")
            _ = try await harness.ask("PUT", "/vehicle/car", #"{"color":"red","model":"Fabia"}"#)
            let kept = try await harness.desk.vehicle("car").attributes.map { "\($0.key)=\($0.value)" }.sorted()
            #expect(kept == ["color=red", "driver=Ada", "model=Fabia", "plate=KVX 204"])
            _ = try await harness.ask(
                "PUT", "/vehicle/car", #"{"attributes":[{"key":"color","value":"x"},{"key":"a","value":"b"}],"color":"blue"}"#)
            let replaced = try await harness.desk.vehicle("car").attributes.map { "\($0.key)=\($0.value)" }.sorted()
            #expect(replaced == ["a=b", "color=blue"])
        }
    }

    @Test("a booking's attributes become the trip's; an invalid attribute is refused")
    func attributes() async throws {
        try await ProviderHarness.with { harness in
            let ends = String(Self.ride.dropLast())
            let made = try await harness.ask("POST", "/trip/new", ends + #","attributes":{"pickup_name":"Platform 2"}}"#)
            #expect(made.status == 200, "\(made.text)")
            #expect(try await harness.desk.trip("t1").attributes.map { "\($0.key)=\($0.stringValue)" } == ["pickup_name=Platform 2"])
            for wrong in [#"["a"]"#, #"{"a":7}"#, #"{"a":"\#(String(repeating: "b", count: 300))"}"#, #"{"a:b":"c"}"#] {
                #expect(try await harness.ask("POST", "/trip/new", ends + ",\"attributes\":\(wrong)}").status == 400, "\(wrong)")
            }
        }
    }

    private struct Named: Decodable { let name: String }

    @Test(
        "invalid vehicles and changes are refused",
        arguments: [
            ("POST", "/vehicle/new", "{}"), ("POST", "/vehicle/new", #"{"vehicleId":""}"#),
            ("POST", "/vehicle/new", #"{"vehicleId":"car"}"#),
            ("POST", "/vehicle/new", #"{"vehicleId":"a/b"}"#), ("POST", "/vehicle/new", #"{"vehicleId":"x","maximumCapacity":-1}"#),
            ("POST", "/vehicle/new", #"{"vehicleId":"x","maximumCapacity":0}"#),
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

    @Test("a vehicle's id is reported missing only where it is", arguments: ["/vehicle/new", "/car/new"])
    func missingIDs(path: String) async throws {
        try await ProviderHarness.with { harness in
            for body in ["{}", #"{"vehicleId":""}"#, #"{"vehicleId":null}"#] {
                #expect(try await harness.ask("POST", path, body).text.contains("vehicleId is missing"), "\(body)")
            }
            for body in ["", "vehicleId=x", #"["x"]"#, #"{"vehicleId":7}"#, #"{"vehicleId":"x","maximumCapacity":"four","manual":"yes"}"#] {
                let answer = try await harness.ask("POST", path, body)
                #expect(answer.status == 400 && answer.text.contains("the body must be a JSON object with vehicleId"), "\(answer.text)")
            }
        }
    }

    @Test(
        "the error for an unknown address, or for one without this method, says so",
        arguments: [("POST", "/"), ("GET", "/trips/t1/more"), ("DELETE", "/trip/new"), ("PATCH", "/vehicle/car"), ("GET", "/car/new")])
    func nothing(method: String, path: String) async throws {
        try await ProviderHarness.with { harness in
            let answer = try await harness.ask(method, path)
            #expect(answer.status == 404 && answer.text.contains(#"does not exist, or does not accept \#(method)""#), "\(answer.text)")
        }
    }

    @Test("a capacity beyond any vehicle's is stored as the largest possible one")
    func hugeCapacity() async throws {
        try await ProviderHarness.with { harness in
            let made = try await harness.ask("POST", "/vehicle/new", #"{"vehicleId":"car","maximumCapacity":99999999999999}"#)
            #expect(made.status == 200 && made.text.contains("\"maximumCapacity\":2147483647"), "\(made.text)")
        }
    }

    @Test("a request over the size limit is refused with that reason, and the server goes on")
    func tooLarge() async throws {
        try await ProviderHarness.with { harness in
            for (method, path) in [("POST", "/trip/new"), ("PUT", "/trip/t1"), ("POST", "/vehicle/new"), ("PUT", "/vehicle/car")] {
                let body = #"{"pickup":""# + String(repeating: "x", count: ServerLimits().bodyBytes) + "\"}"
                let answer = try await harness.ask(method, path, body)
                #expect(answer.status == 413 && answer.text.contains("\"status\":413"), "\(method) \(path) \(answer.text)")
            }
            let largest = Self.ride + String(repeating: " ", count: ServerLimits().bodyBytes - Self.ride.utf8.count)
            #expect(try await harness.ask("POST", "/trip/new", largest).status == 200)
        }
    }
}

@Suite("Who may use the provider API", .timeLimit(.minutes(1)))
struct DeskAccessTests {
    private static let ride = #"{"pickup":{"latitude":10,"longitude":20},"dropoff":{"latitude":10.02,"longitude":20.01}}"#

    @Test("web pages of this machine may use the provider API, others may not")
    func origins() async throws {
        try await ProviderHarness.with { harness in
            for origin in ["http://localhost:3000", "http://127.0.0.1:4200", "https://[::1]:8443"] {
                let preflight = try await harness.ask(
                    "OPTIONS", "/trip/new", headers: [("origin", origin), ("access-control-request-method", "POST")])
                #expect(preflight.status == 204 && preflight.headers("access-control-allow-origin") == origin)
                #expect(preflight.headers("access-control-allow-methods")?.contains("PUT, PATCH") == true)
                #expect(preflight.headers("access-control-allow-headers")?.contains("X-Requested-With") == true)
                #expect(preflight.headers("access-control-max-age") == "3600")
                let token = try await harness.ask("GET", "/token/consumer/t1", headers: [("origin", origin)])
                #expect(token.status == 200 && token.headers("access-control-allow-origin") == origin)
            }
            for origin in ["https://example.com", "null", "http://localhost.example.com", "file://", ""] {
                for (method, path) in [("POST", "/trip/new"), ("OPTIONS", "/trip/new"), ("GET", "/vehicles")] {
                    let answer = try await harness.ask(method, path, method == "POST" ? Self.ride : nil, headers: [("origin", origin)])
                    #expect(answer.status == 403 && answer.headers("access-control-allow-origin") == nil, "\(method) \(origin)")
                }
            }
            let trips = await harness.engine.snapshot.trips
            #expect(trips.isEmpty)
        }
    }

    @Test("an allowed page may use the provider API; scheme, host and port must match, in upper or lower case")
    func namedOrigins() async throws {
        let access = HostAccess(allowedOrigins: [try #require(WebOrigin("https://Rides.example/"))])
        try await ProviderHarness.with(access: access) { harness in
            for origin in ["https://rides.example", "https://RIDES.example:443"] {
                let answer = try await harness.ask("POST", "/trip/new", Self.ride, headers: [("origin", origin)])
                #expect(answer.status == 200 && answer.headers("access-control-allow-origin") == origin)
            }
            for origin in ["http://rides.example", "https://rides.example:444", "https://other.rides.example"] {
                #expect(try await harness.ask("POST", "/trip/new", Self.ride, headers: [("origin", origin)]).status == 403, "\(origin)")
            }
        }
    }

    @Test(
        "a request for another host name gets nothing, whatever it asks for",
        arguments: [
            "/token/server", "/token/consumer/t1", "/vehicles", "/vehicle/car", "/trip/t1", "/healthz", "/elsewhere", "/",
        ])
    func rebinding(path: String) async throws {
        try await ProviderHarness.with { harness in
            for host in [
                "evil.example", "evil.example:\(harness.port)", "localhost.evil.example", "127.0.0.1.evil.example", "0.0.0.0",
                "192.0.2.7", "127.0.0.1:80x", "127.0.0.1:80:80", "[::1", "[::1]x", "::1", "127.0.0.1@evil.example", "",
            ] {
                let answer = try await harness.ask("GET", path, headers: [("host", host)])
                #expect(answer.status == 421 && answer.text.contains("--public-url"), "\(host)")
            }
            let booking = try await harness.ask(
                "POST", "/trip/new", Self.ride, headers: [("origin", "http://evil.example"), ("host", "evil.example")])
            #expect(booking.status == 421)
        }
    }

    @Test("a request with two hosts is invalid")
    func hosts() async throws {
        try await ProviderHarness.with { harness in
            for other in ["Host: evil.example", "host: 127.0.0.1"] {
                let connection = try await RawConnection(port: harness.port)
                try await connection.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\(other)\r\nConnection: close\r\n\r\n")
                let answer = try await connection.waitForEnd()
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(other): \(answer)")
            }
        }
    }

    @Test("loopback names and the public address are valid hosts, in upper or lower case and with any port")
    func ownNames() async throws {
        let access = HostAccess(publicURL: WebOrigin("https://Desk.Example:8443/rides"))
        try await ProviderHarness.with(access: access) { harness in
            for host in [
                "localhost", "LOCALHOST:1", "127.0.0.1", "127.255.0.9:80", "[::1]", "[::1]:8080", "desk.example", "DESK.EXAMPLE:1",
            ] {
                let answer = try await harness.ask("GET", "/healthz", headers: [("host", host)])
                #expect(answer.status == 200, "\(host)")
            }
            let own = [("origin", "https://desk.example"), ("host", "desk.example")]
            let booking = try await harness.ask("POST", "/trip/new", Self.ride, headers: own)
            #expect(booking.status == 200)
        }
    }
}
