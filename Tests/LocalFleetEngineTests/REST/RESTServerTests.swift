import FleetEngine
import FoundationEssentials
import Testing

@testable import LocalFleetEngine

@Suite("Fleet Engine's API over HTTP", .timeLimit(.minutes(2)))
struct RESTServerTests {
    private static let vehicle = """
        {"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"},
         "attributes":[{"key":"plate","value":"DEMO 7"}]}
        """
    private static let trip = """
        {"trip_type":"EXCLUSIVE","pickupPoint":{"point":{"latitude":-36,"longitude":-20}},
         "dropoffPoint":{"point":{"latitude":-36.01,"longitude":-19.985}},"numberOfPassengers":2}
        """

    @Test("a ride from its creation to its deletion")
    func ride() async throws {
        try await ProviderHarness.with { harness in
            func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> [String: JSON] {
                let answer = try await harness.ask(method, "/v1/providers/plain/" + path, body)
                #expect(answer.status == 200, "\(method) \(path): \(answer.text)")
                #expect(answer.headers("content-type") == "application/json; charset=UTF-8")
                return try JSON.object(answer.text)
            }
            #expect(try await ask("POST", "vehicles?vehicleId=car", Self.vehicle)["name"] == .text("providers/plain/vehicles/car"))
            let made = try await ask("POST", "trips?trip_id=t", Self.trip)
            #expect(made["tripStatus"] == .text("NEW") && made["numberOfPassengers"] == .number(2) && made["vehicleId"] == nil)
            let moved = #"{"lastLocation":{"location":{"latitude":-36,"longitude":-20}}}"#
            #expect(try await ask("PUT", "vehicles/car?updateMask=lastLocation", moved)["lastLocation"] != nil)
            let near = """
                {"pickupPoint":{"point":{"latitude":-36,"longitude":-20}},"pickupRadiusMeters":1000,"count":5,"minimumCapacity":1,
                 "tripTypes":["EXCLUSIVE"],"vehicleTypes":[{"category":"AUTO"}],"orderBy":"PICKUP_POINT_STRAIGHT_DISTANCE"}
                """
            #expect(try await ask("POST", "vehicles:search", near)["matches"] != nil)
            let given = try await ask(
                "PUT", "trips/t?updateMask=vehicleId,trip_status", #"{"vehicleId":"car","tripStatus":"ENROUTE_TO_PICKUP"}"#)
            #expect(given["vehicleId"] == .text("car") && given["tripStatus"] == .text("ENROUTE_TO_PICKUP"))
            #expect(try await ask("GET", "trips/t?$alt=json;enum-encoding=int")["tripStatus"] == .number(2))
            #expect(try await ask("GET", "trips/t?view=SDK&prettyPrint=false")["name"] == .text("providers/plain/trips/t"))
            #expect(try await ask("POST", "trips:search", #"{"vehicleId":"car","activeTripsOnly":true}"#)["trips"] != nil)
            #expect(try await ask("GET", "vehicles?vehicleTypeCategories=AUTO")["totalSize"] == .text("1"))
            #expect(try await ask("GET", "vehicles/car")["currentTrips"] == .list([.text("t")]))
            let attributes = #"{"attributes":[{"key":"colour","value":"teal"}]}"#
            #expect(try await ask("POST", "vehicles/car:updateAttributes", attributes)["attributes"] != nil)
            #expect(try await ask("POST", "billableTrips/t:report", #"{"countryCode":"AT"}"#).isEmpty)
            let tooEarly = try await harness.ask("DELETE", "/v1/providers/plain/trips/t")
            #expect(tooEarly.status == 400 && tooEarly.text.contains(#""status":"FAILED_PRECONDITION""#), "\(tooEarly.text)")
            _ = try await ask("PUT", "trips/t?updateMask=tripStatus", #"{"tripStatus":"CANCELED"}"#)
            #expect(try await ask("DELETE", "trips/t").isEmpty)
            #expect(try await ask("DELETE", "vehicles/car").isEmpty)
        }
    }

    @Test(
        "a refusal has the body of Google's errors",
        arguments: [
            ("GET", "trips/none", nil, 404, "NOT_FOUND"), ("POST", "trips?tripId=t", trip, 409, "ALREADY_EXISTS"),
            ("PUT", "trips/t", "{}", 400, "INVALID_ARGUMENT"), ("PUT", "trips/t?updateMask=colour", "{}", 400, "INVALID_ARGUMENT"),
            ("POST", "trips?tripId=u", #"{"colour":1}"#, 400, "INVALID_ARGUMENT"),
            ("GET", "trips/t?colour=1", nil, 400, "INVALID_ARGUMENT"),
            ("GET", "trips/t?updateMask=name", nil, 400, "INVALID_ARGUMENT"),
            ("POST", "trips:search?pageSize=1", "{}", 400, "INVALID_ARGUMENT"),
            ("GET", "trips", nil, 405, "UNIMPLEMENTED"), ("GET", "rides/t", nil, 404, "NOT_FOUND"),
        ] as [(String, String, String?, Int, String)])
    func refusals(method: String, path: String, body: String?, status: Int, word: String) async throws {
        try await ProviderHarness.with { harness in
            _ = try await harness.ask("POST", "/v1/providers/plain/trips?tripId=t", Self.trip)
            let answer = try await harness.ask(method, "/v1/providers/plain/" + path, body)
            #expect(answer.status == status, "\(answer.text)")
            guard case .object(let error)? = try JSON.object(answer.text)["error"] else {
                Issue.record("no error: \(answer.text)")
                return
            }
            #expect(error["code"] == .number(Double(status)) && error["status"] == .text(word))
            #expect(answer.headers("content-type") == "application/json; charset=UTF-8")
            if status == 405 { #expect(answer.headers("allow") == "POST") }
            if word == "INVALID_ARGUMENT" { #expect(answer.text.contains("type.googleapis.com/google.rpc.BadRequest")) }
        }
    }

    @Test("a body at the limit is read; one more byte gets 413")
    func limit() async throws {
        var limits = ServerLimits()
        limits.bodyBytes = 400
        try await ProviderHarness.with(limits: limits) { harness in
            let path = "/v1/providers/plain/trips?tripId="
            let padded = Self.trip + String(repeating: " ", count: 400 - Self.trip.utf8.count)
            #expect(try await harness.ask("POST", path + "a", padded).status == 200)
            let answer = try await harness.ask("POST", path + "b", padded + " ")
            #expect(answer.status == 413 && answer.text.contains("\"error\""))
        }
    }
}

/// A JSON value whose members tests can read.
enum JSON: Decodable, Equatable {
    case text(String), number(Double), truth(Bool), list([JSON]), object([String: JSON]), null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let list = try? value.decode([JSON].self) {
            self = .list(list)
        } else if let object = try? value.decode([String: JSON].self) {
            self = .object(object)
        } else {
            self = .null
        }
    }

    static func object(_ text: String) throws -> [String: JSON] { try JSONDecoder().decode([String: JSON].self, from: Data(text.utf8)) }
}
