import Foundation
import Testing

@testable import ProgramHarness

/// A running `serve`, called with plain JSON over HTTP, as a program in another language would do.
private struct Engine {
    let running: Program.Running
    let port: Int

    init(_ options: [String] = []) throws {
        running = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"] + options)
        let words = try #require(running.line())
        port = try #require(words.matches(of: /:([0-9]+)/).compactMap { Int($0.1) }.last, "\(words)")
    }

    /// - Returns: the status and the body of the answer.
    func ask(_ method: String, _ path: String, _ body: String) throws -> (status: Int, body: [String: Any]) {
        let connection = try TCPConnection(port: port)
        connection.send(
            "\(method) /v1/providers/demo/\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        let answer = connection.read()
        let status = try #require(answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }, "\(answer)")
        let text = answer.firstRange(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
        return (status, try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(answer)"))
    }

    /// Returns the whole answer to a GET request.
    func get(_ path: String) throws -> String {
        let connection = try TCPConnection(port: port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return connection.read()
    }

    /// Sends an invalid request. Returns the field that the server's error names; nil if it names no field.
    func blamed(_ method: String, _ path: String, _ body: String) throws -> String? {
        let answer = try ask(method, path, body)
        #expect(answer.status == 400, "\(answer.body)")
        let error = answer.body["error"] as? [String: Any]
        #expect(error?["status"] as? String == "INVALID_ARGUMENT")
        let detail = (error?["details"] as? [[String: Any]])?.first
        return (detail?["fieldViolations"] as? [[String: Any]])?.first?["field"] as? String
    }

    func make(_ vehicle: String) throws {
        #expect(try ask("POST", "vehicles?vehicleId=\(vehicle)", Self.vehicle()).status == 200)
    }

    static func vehicle(without field: String = "", and more: String = "") -> String {
        let fields = [
            "vehicleState": #""ONLINE""#, "supportedTripTypes": #"["EXCLUSIVE"]"#, "maximumCapacity": "4",
            "vehicleType": #"{"category":"AUTO"}"#,
        ]
        let kept = fields.filter { $0.key != field }.map { "\"\($0.key)\":\($0.value)" }
        return "{" + (kept + (more.isEmpty ? [] : [more])).joined(separator: ",") + "}"
    }

    /// Reports a raw fix whose time is `second` seconds after noon.
    /// - Returns: the latitude of the vehicle in the answer.
    func report(latitude: Double, second: Int) throws -> Double? {
        let place = #"{"latitude":\#(latitude),"longitude":-20}"#
        let body =
            #"{"lastLocation":{"location":\#(place),"rawLocation":\#(place),"rawLocationTime":"2026-01-31T12:00:0\#(second)Z"},"#
            + #""navigationStatus":"OFF_ROUTE"}"#
        let answer = try ask("PUT", "vehicles/car?updateMask=lastLocation,navigationStatus", body)
        #expect(answer.status == 200 && answer.body["navigationStatus"] as? String == "OFF_ROUTE", "\(answer.body)")
        let location = (answer.body["lastLocation"] as? [String: Any])?["location"] as? [String: Any]
        return location?["latitude"] as? Double
    }
}

@Suite("The engine's rules, in serve", .timeLimit(.minutes(2)))
struct EngineRulesTests {
    @Test("the error for an invalid vehicle or search names the field")
    func required() throws {
        let engine = try Engine()
        defer { engine.running.stop() }
        let fields = [
            ("vehicleState", "vehicle_state"), ("supportedTripTypes", "supported_trip_types"), ("maximumCapacity", "maximum_capacity"),
        ]
        for (field, name) in fields {
            #expect(try engine.blamed("POST", "vehicles?vehicleId=car", Engine.vehicle(without: field)) == "vehicle.\(name)")
        }
        let plate = Engine.vehicle(and: #""licensePlate":{"lastCharacter":"7"}"#)
        #expect(try engine.blamed("POST", "vehicles?vehicleId=car", plate) == "vehicle.license_plate.country_code")
        try engine.make("car")
        let capacity = try engine.blamed("PUT", "vehicles/car?updateMask=maximumCapacity", #"{"maximumCapacity":0}"#)
        #expect(capacity == "vehicle.maximum_capacity")
        let search = #"""
            "pickupPoint":{"point":{"latitude":-36,"longitude":-20}},"pickupRadiusMeters":1000,"count":5,"minimumCapacity":1,
            "tripTypes":["EXCLUSIVE"],"vehicleTypes":[{"category":"AUTO"}]
            """#
        let both = "{\(search),\"orderBy\":\"COST\",\"includeBackToBack\":true,\"currentTripsPresent\":\"ANY\"}"
        #expect(try engine.blamed("POST", "vehicles:search", both) == "include_back_to_back")
        _ = try engine.report(latitude: -36, second: 0)
        let matches = try engine.ask("POST", "vehicles:search", "{\(search),\"orderBy\":\"COST\"}").body["matches"] as? [[String: Any]]
        #expect(matches?.first?["orderedBy"] as? String == "COST")
        #expect((matches?.first?["vehicleTripsWaypoints"] as? [Any])?.count == 2)
    }

    @Test("a repeated call is answered again, and answers include the version of the intermediate destinations")
    func twice() throws {
        let engine = try Engine()
        defer { engine.running.stop() }
        try engine.make("car")
        let trip = #"""
            {"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":-36,"longitude":-20}},
             "intermediateDestinations":[{"point":{"latitude":-36.005,"longitude":-19.99}}],"vehicleWaypoints":[{"tripId":"x"}]}
            """#
        #expect(try engine.ask("POST", "trips?tripId=t", trip).status == 200)
        let again = try engine.ask("POST", "trips?tripId=t", trip)
        #expect(again.status == 409 && (again.body["error"] as? [String: Any])?["status"] as? String == "ALREADY_EXISTS")
        for status in ["ENROUTE_TO_PICKUP", "CANCELED", "CANCELED"] {
            let body = #"{"vehicleId":"car","tripStatus":"\#(status)"}"#
            let answer = try engine.ask("PUT", "trips/t?updateMask=vehicleId,tripStatus", body)
            #expect(answer.status == 200 && answer.body["tripStatus"] as? String == status, "\(answer.body)")
            #expect(answer.body["intermediateDestinationsVersion"] != nil)
        }
    }

    @Test("fields that an update cleared are empty when the server's own log is imported")
    func importedLog() throws {
        let folder = try Folder()
        let (log, after) = (folder.path + "/fleet.ndjson", folder.path + "/after.json")
        let engine = try Engine(["--fleet-log", log])
        defer { engine.running.stop() }
        let facts = #""attributes":[{"key":"class","value":"comfort"}],"licensePlate":{"countryCode":"DE","lastCharacter":"7"}"#
        let car = Engine.vehicle(and: facts + #","backToBackEnabled":true"#)
        #expect(try engine.ask("POST", "vehicles?vehicleId=car", car).status == 200)
        let trip = #"""
            {"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":-36,"longitude":-20}},
             "dropoffPoint":{"point":{"latitude":-36.01,"longitude":-20}},"attributes":[{"key":"class","stringValue":"comfort"}],
             "intermediateDestinations":[{"point":{"latitude":-36.005,"longitude":-19.99}}]}
            """#
        #expect(try engine.ask("POST", "trips?tripId=t", trip).status == 200)
        for call in [
            "trips/t?updateMask=intermediateDestinations,dropoffPoint,attributes",
            "vehicles/car?updateMask=attributes,licensePlate,backToBackEnabled",
        ] {
            let answer = try engine.ask("PUT", call, "{}")
            #expect(answer.status == 200, "\(answer.body)")
        }
        engine.running.stop()
        let options = ["--import", log, "--export-on-exit", after, "--exec", "true"]
        let imported = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0"] + options)
        #expect(imported.status == 0, "\(imported.errors)")
        let text = try String(contentsOfFile: after, encoding: .utf8)
        #expect(text.contains("/trips/t\"") && text.contains("/vehicles/car\""), "\(text)")
        for field in ["intermediateDestinations\"", "dropoffPoint", "attributes", "licensePlate", "backToBackEnabled\":true"] {
            #expect(!text.contains("\"" + field), "\(text)")
        }
    }

    @Test("an impossible position is ignored, unless --keep-jumps is given", arguments: [false, true])
    func jumps(keeps: Bool) throws {
        let engine = try Engine(keeps ? ["--keep-jumps"] : [])
        defer { engine.running.stop() }
        try engine.make("car")
        #expect(try engine.report(latitude: -36, second: 0) == -36)
        #expect(try engine.report(latitude: -35, second: 1) == (keeps ? -35 : -36))
        #expect(try engine.report(latitude: -36.0001, second: 2) == -36.0001)
        #expect(try engine.get("/metrics").contains("\ntripwatch_jumps_discarded_total \(keeps ? 0 : 1)\n"))
    }
}
