import FleetEngine
import FleetEngineAccess
import FleetEngineSnapshot
import FoundationEssentials
import SwiftProtobuf
import Testing

@testable import FleetEngineAPI
@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Reading calls over HTTP")
struct RESTCallTests {
    @Test(
        "each rpc has its method and path",
        arguments: [
            ("POST", "/v1/providers/p/trips", EngineRPC.createTrip, "providers/p"),
            ("GET", "/v1/providers/p/trips/t", .getTrip, "providers/p/trips/t"),
            ("HEAD", "/v1/providers/p/trips/t", .getTrip, "providers/p/trips/t"),
            ("PUT", "/v1/providers/p/trips/t", .updateTrip, "providers/p/trips/t"),
            ("POST", "/v1/providers/p/trips:search", .searchTrips, "providers/p"),
            ("POST", "/v1/providers/p/billableTrips/t:report", .reportBillableTrip, "providers/p/billableTrips/t"),
            ("DELETE", "/v1/providers/p/trips/t", .deleteTrip, "providers/p/trips/t"),
            ("POST", "/v1/providers/p/vehicles", .createVehicle, "providers/p"),
            ("GET", "/v1/providers/p/vehicles/v", .getVehicle, "providers/p/vehicles/v"),
            ("PUT", "/v1/providers/p/vehicles/v", .updateVehicle, "providers/p/vehicles/v"),
            ("POST", "/v1/providers/p/vehicles/v:updateAttributes", .updateVehicleAttributes, "providers/p/vehicles/v"),
            ("GET", "/v1/providers/p/vehicles", .listVehicles, "providers/p"),
            ("POST", "/v1/providers/p/vehicles:search", .searchVehicles, "providers/p"),
            ("DELETE", "/v1/providers/p/vehicles/v", .deleteVehicle, "providers/p/vehicles/v"),
            ("POST", "/v1/providers/p/deliveryVehicles", .createDeliveryVehicle, "providers/p"),
            ("GET", "/v1/providers/p/deliveryVehicles/v", .getDeliveryVehicle, "providers/p/deliveryVehicles/v"),
            ("PATCH", "/v1/providers/p/deliveryVehicles/v", .updateDeliveryVehicle, "providers/p/deliveryVehicles/v"),
            ("DELETE", "/v1/providers/p/deliveryVehicles/v", .deleteDeliveryVehicle, "providers/p/deliveryVehicles/v"),
            ("GET", "/v1/providers/p/deliveryVehicles", .listDeliveryVehicles, "providers/p"),
            ("POST", "/v1/providers/p/tasks", .createTask, "providers/p"),
            ("POST", "/v1/providers/p/tasks:batchCreate", .batchCreateTasks, "providers/p"),
            ("GET", "/v1/providers/p/tasks/t", .getTask, "providers/p/tasks/t"),
            ("PATCH", "/v1/providers/p/tasks/t", .updateTask, "providers/p/tasks/t"),
            ("DELETE", "/v1/providers/p/tasks/t", .deleteTask, "providers/p/tasks/t"),
            ("GET", "/v1/providers/p/tasks", .listTasks, "providers/p"),
            ("GET", "/v1/providers/p/taskTrackingInfo/x", .getTaskTrackingInfo, "providers/p/taskTrackingInfo/x"),
        ])
    func paths(method: String, path: String, rpc: EngineRPC, name: String) throws {
        let call = try RESTCall(method: method, path: path)
        #expect(call.rpc == rpc && call.name == name)
    }

    @Test("a segment is decoded once")
    func escapes() throws {
        #expect(try RESTCall(method: "GET", path: "/v1/providers/p/trips/a%20b%2541").name == "providers/p/trips/a b%41")
        // An escaped colon is part of the id and does not begin a custom verb.
        #expect(try RESTCall(method: "GET", path: "/v1/providers/p/trips/a%3Asearch").name == "providers/p/trips/a:search")
    }

    @Test(
        "an unknown path gets 404; a method that the path lacks gets 405 with the methods it has",
        arguments: [
            ("GET", "/v1", 404), ("GET", "/v1/", 404), ("GET", "/v1/providers", 404), ("GET", "/v1/providers/p", 404),
            ("GET", "/v1/providers/p/trips/", 404), ("GET", "/v1/providers//trips/t", 404), ("GET", "/v1/providers/p/trips/t/u", 404),
            ("POST", "/v1/providers/p/trips:find", 404), ("GET", "/v2/providers/p/trips/t", 404), ("GET", "/v1/providers/p/trips/%zz", 404),
            ("GET", "/v1/providers/p/trips/t:", 404), ("GET", "/v1/providers/p/trips", 405), ("HEAD", "/v1/providers/p/trips", 405),
            ("PATCH", "/v1/providers/p/trips/t", 405),
            ("POST", "/v1/providers/p/vehicles/v", 405), ("PUT", "/v1/providers/p/tasks/t", 405),
            ("PUT", "/v1/providers/p/deliveryVehicles/v", 405),
            ("GET", "/v1/providers/p/taskTrackingInfo", 404),
        ])
    func refused(method: String, path: String, status: Int) {
        let refusal = #expect(throws: RESTRefusal.self) { try RESTCall(method: method, path: path) }
        #expect(refusal?.httpStatus == status)
        #expect((status == 405) == (refusal?.allowed.isEmpty == false))
        #expect(refusal?.allowed.contains("HEAD") == refusal?.allowed.contains("GET"))
    }

    @Test("a query makes a message: names in both cases, lists, messages inside")
    func query() throws {
        let text = "pageSize=7&minimum_capacity=2&vehicleTypeCategories=AUTO&vehicle_type_categories=TAXI&onTripOnly=true&pageToken=true"
        let inside = "&viewport.low.latitude=1.5&maximumStaleness=90s&filter=attributes.a%3D%22b%20c%22&$alt=json;enum-encoding=int&key=k"
        let query = try RESTQuery(text + inside)
        let list: WireListVehiclesRequest = try query.message()
        #expect(list.pageSize == 7 && list.minimumCapacity.value == 2 && list.vehicleTypeCategories.count == 2 && list.onTripOnly)
        #expect(list.pageToken == "true" && list.viewport.low.latitude == 1.5 && list.maximumStaleness.seconds == 90)
        #expect(list.filter == "attributes.a=\"b c\"" && query.hasEnumsAsNumbers)
        #expect(
            try RESTQuery("updateMask=trip_status,vehicleId&update_mask=trip_type").updateMask == ["trip_status", "vehicleId", "trip_type"])
        #expect(try RESTQuery(nil).message(WireGetTripRequest.self) == WireGetTripRequest())
    }

    @Test("an enum may be a number, as Google's clients send it, even an unknown one; a text stays a text")
    func enumsAsNumbers() throws {
        let trip: WireGetTripRequest = try RESTQuery("routeFormatType=2&view=1&header.sdk_type=3&header.languageCode=7").message()
        #expect(
            trip.routeFormatType.rawValue == 2 && trip.view == .sdk && trip.header.sdkType.rawValue == 3 && trip.header.languageCode == "7")
        let list: WireListVehiclesRequest = try RESTQuery("vehicleState=2&tripTypes=1&tripTypes=SHARED&vehicle_type_categories=99")
            .message()
        #expect(list.vehicleState == .online && list.tripTypes == [.shared, .shared])
        #expect(list.vehicleTypeCategories.map(\.rawValue) == [99])
    }

    @Test(
        "Google's system parameters are accepted and change nothing",
        arguments: [
            "fields", "access_token", "oauth_token", "quotaUser", "uploadType", "upload_protocol", "callback", "prettyPrint", "key",
            "$.xgafv", "$fields", "$key",
        ])
    func systemParameters(name: String) throws {
        let query = try RESTQuery("\(name)=1&pageSize=7")
        #expect(try query.message() == WireListVehiclesRequest.with { $0.pageSize = 7 })
        try RESTQuery("\(name)=name").requireNoFields()
    }

    @Test(
        "the refusal of a wrong query states the parameter",
        arguments: [
            ("pageSize=many", "pageSize"), ("colour=red", "colour"), ("viewport.low.colour=1", "viewport.low.colour"),
            ("maximumStaleness=soon", "maximumStaleness"), ("$alt=xml", "$alt"), ("%zz=1", "query"), ("=1", "query"), ("a..b=1", "a..b"),
            ("vehicleState=DRIVING", "vehicleState"), ("viewport=1", "viewport"),
        ])
    func wrongQuery(text: String, field: String) {
        expect(field) { () throws(FleetEngineError) in _ = try RESTQuery(text).message(WireListVehiclesRequest.self) }
    }

    @Test(
        "the refusal of a wrong body states the member, wherever it is",
        arguments: [
            (#"{"tripStatus":"DRIVING"}"#, "trip.tripStatus"), (#"{"colour":1}"#, "trip.colour"),
            (#"{"pickupPoint":{"point":{"latitude":"north"}}}"#, "trip.pickupPoint.point.latitude"),
            (
                #"{"numberOfPassengers":1,"intermediateDestinations":[{"point":{}},{"point":{"altitude":3}}]}"#,
                "trip.intermediateDestinations.1.point.altitude"
            ),
            (#"{"pickupTime":"noon"}"#, "trip.pickupTime"), ("[]", "trip"), ("{", "trip"), ("\u{0}", "trip"), ("nonsense", "trip"),
        ])
    func wrongBody(text: String, field: String) {
        expect(field) { () throws(FleetEngineError) in _ = try RESTMessage.read(Array(text.utf8), as: WireTrip.self, field: "trip") }
    }

    @Test("a deep or wide body is answered soon, and without a crash")
    func hostile() {
        let deep = String(repeating: #"{"pickupPoint":"#, count: 40_000)
        let wide = "{" + (0..<30_000).map { #""a\#($0)":0"# }.joined(separator: ",") + "}"
        for text in [deep, wide, String(repeating: "[", count: 100_000)] {
            #expect(throws: FleetEngineError.self) { try RESTMessage.read(Array(text.utf8), as: WireTrip.self, field: "trip") }
        }
    }

    @Test("in a body above 64 KiB, an invalid member is named only if it is unknown")
    func largeBody() {
        let list = "[" + Array(repeating: "{}", count: 30_000).joined(separator: ",") + "]"
        for (text, field) in [(#"{"colour":\#(list)}"#, "colour"), (#"{"attributes":\#(list),"pickupTime":"noon"}"#, "trip")] {
            expect(field) { () throws(FleetEngineError) in _ = try RESTMessage.read(Array(text.utf8), as: WireTrip.self, field: "trip") }
        }
    }

    @Test("the search for the invalid member of a nested body ends early")
    func nestedBody() {
        let list = "[" + Array(repeating: "{}", count: 21_000).joined(separator: ",") + "]"
        let text = #"{"attributes":"# + String(repeating: "[", count: 40) + list + String(repeating: "]", count: 40) + "}"
        do throws(FleetEngineError) {
            _ = try RESTMessage.read(Array(text.utf8), as: WireTrip.self, field: "trip")
            Issue.record("nothing was refused")
        } catch {
            guard case .badRequest(let violations)? = error.details.first, let field = violations.first?.field else {
                Issue.record("no field is named")
                return
            }
            #expect(field.hasPrefix("trip.attributes") && field.split(separator: ".").count < 15, "\(field)")
        }
    }

    private func expect(_ field: String, _ work: () throws(FleetEngineError) -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        do throws(FleetEngineError) {
            try work()
            Issue.record("nothing was refused", sourceLocation: sourceLocation)
        } catch {
            #expect(error.code == .invalidArgument, sourceLocation: sourceLocation)
            guard case .badRequest(let violations)? = error.details.first else {
                Issue.record("no field is named", sourceLocation: sourceLocation)
                return
            }
            #expect(violations.map(\.field) == [field], sourceLocation: sourceLocation)
        }
    }
}
