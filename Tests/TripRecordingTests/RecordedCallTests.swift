import FleetEngine
import FoundationEssentials
import Testing

@testable import TripRecording

/// Returns the changes from one JSON text to another, as words.
private func changes(_ old: String?, _ new: String) throws -> [String] {
    let before = try old.map { try value($0) }
    return ValueChange.changes(from: before, to: try value(new)).map { "\($0.path): \(words($0.from)) > \(words($0.to))" }
}

private func value(_ text: String) throws -> RecordedValue { try #require(RecordedValue(Array(text.utf8)[...])) }

private func words(_ value: RecordedValue?) -> String {
    switch value {
    case .string(let text)?: text
    case .number(let number)?: "\(number)"
    case .bool(let flag)?: "\(flag)"
    case .array(let list)?: "list of \(list.count)"
    case .object(let members)?: "object of \(members.count)"
    case .null?: "null"
    case nil: "none"
    }
}

@Suite("The changes of a recorded answer")
struct ValueChangeTests {
    @Test("equal answers have no change, whatever the order of their members")
    func equal() throws {
        #expect(try changes(#"{"a":1,"b":[{"c":"x"}]}"#, #"{"b":[{"c":"x"}],"a":1.0}"#) == [])
        #expect(try changes("{}", "{}") == [] && changes(nil, "{}") == [])
    }

    @Test("changed values are named by their paths, an object's own values first")
    func nested() throws {
        let old = #"{"tripStatus":"NEW","stops":[{"type":"PICKUP","at":{"lat":1}},{"type":"DROPOFF"}],"flag":true}"#
        let new = #"{"tripStatus":"COMPLETE","stops":[{"type":"PICKUP","at":{"lat":2}},{"type":"OTHER"}],"flag":false}"#
        #expect(
            try changes(old, new) == [
                "flag: true > false", "tripStatus: NEW > COMPLETE", "stops[0].at.lat: 1.0 > 2.0", "stops[1].type: DROPOFF > OTHER",
            ])
    }

    @Test("each added value is a change, and a removed object or list is one change")
    func addedAndRemoved() throws {
        let object = #"{"a":{"b":1,"c":{"d":"x"}},"e":[1,2]}"#
        #expect(try changes("{}", object) == ["a.b: none > 1.0", "a.c.d: none > x", "e[0]: none > 1.0", "e[1]: none > 2.0"])
        #expect(try changes(object, "{}") == ["a: object of 2 > none", "e: list of 2 > none"])
        #expect(try changes(#"{"e":[1,2]}"#, #"{"e":[1],"f":[]}"#) == ["f: none > list of 0", "e[1]: 2.0 > none"])
    }

    @Test("a value of another kind is one change, and null is a value")
    func kinds() throws {
        #expect(
            try changes(#"{"a":"1","b":[1],"c":1}"#, #"{"a":1,"b":{"d":1},"c":null}"#) == [
                "a: 1 > 1.0", "b: list of 1 > object of 1", "c: 1.0 > null",
            ])
    }

    @Test("a list with more than 8 changed elements is one change")
    func longLists() throws {
        func list(_ numbers: [Int]) -> String { "{\"route\":[\(numbers.map { "\($0)" }.joined(separator: ","))]}" }
        #expect(try changes(list(Array(1...100)), list(Array(2...99))) == ["route: list of 100 > list of 98"])
        #expect(try changes(nil, list(Array(1...9))) == ["route: none > list of 9"])
        #expect(try changes(list(Array(1...100)), list(Array(1...92))).count == 8)
        #expect(try changes(list(Array(1...100)), list(Array(1...91))) == ["route: list of 100 > list of 91"])
    }
}

@Suite("The calls of a recording")
struct RecordedCallTests {
    private static let header = #"{"tripwatch":"trip","version":1,"trip":"providers/p/trips/t","t":"2026-11-22T18:00:00Z","interval_s":5}"#

    /// Returns the calls of a recorded trip as words.
    private func calls(_ lines: [String]) throws -> [String] {
        let timed = lines.enumerated().map { "{\"t\":\"2026-11-22T18:00:0\($0 + 1)Z\",\($1)}" }
        return calls(try RecordedTrip(Data(([Self.header] + timed).joined(separator: "\n").utf8)))
    }

    private func calls(_ trip: RecordedTrip) -> [String] {
        var told: [String] = []
        trip.eachCall { call in
            let kind =
                switch call.outcome {
                case .first: "first"
                case .later: "later"
                case .failure(let error, let retry): "\(error.code.name) \(error.message) \(retry ?? -1)"
                }
            let changes = call.changes.map { "\($0.path)=\(words($0.to))" }.joined(separator: " ")
            told.append([call.method, call.status ?? "-", kind, changes].filter { !$0.isEmpty }.joined(separator: " "))
        }
        return told
    }

    @Test("each answer is compared with the last one, also after a failure, and a vehicle only with itself")
    func received() throws {
        let called = try calls([
            #""answer":{"tripStatus":"NEW"}"#, #""vehicle":{"name":"providers/p/vehicles/a","vehicleState":"ONLINE"}"#,
            #""error":{"code":"UNAVAILABLE","message":"cut","origin":"network","retry_in_s":5.2}"#,
            #""answer":{"tripStatus":"NEW","vehicleId":"a"}"#, #""answer":{"tripStatus":"NEW","vehicleId":"a"}"#,
            #""vehicle":{"name":"providers/p/vehicles/b"}"#, #""answer":{"tripStatus":"COMPLETE"}"#,
        ])
        #expect(
            called == [
                "GetTrip NEW first tripStatus=NEW", "GetVehicle - first name=providers/p/vehicles/a vehicleState=ONLINE",
                "GetTrip - UNAVAILABLE cut 5.2", "GetTrip NEW later vehicleId=a", "GetTrip NEW later",
                "GetVehicle - first name=providers/p/vehicles/b", "GetTrip COMPLETE later tripStatus=COMPLETE vehicleId=none",
            ], "\(called)")
    }

    @Test("a part that an answer leaves out because it has not changed is no change")
    func leftOut() throws {
        let version = #""currentRouteSegmentVersion":"2026-11-22T18:00:00Z","remainingWaypointsRouteVersion":"2026-11-22T18:00:00Z""#
        let newer = version.replacing("18:00:00", with: "18:00:03")
        let beginning = #""answer":{"tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"a""#
        let path = #","pathToWaypoint":[{"latitude":1,"longitude":2}]"#
        let called = try calls([
            "\(beginning),\(version),\"route\":[{\"latitude\":1}],\"remainingWaypoints\":[{\"tripId\":\"o\"},{\"tripId\":\"t\"\(path)}]}",
            "\(beginning),\(version),\"remainingWaypoints\":[{\"tripId\":\"o\"},{\"tripId\":\"t\"}]}",
            "\(beginning),\(newer),\"remainingWaypoints\":[{\"tripId\":\"o\"},{\"tripId\":\"t\"}]}",
        ])
        #expect(called.dropFirst().first == "GetTrip ENROUTE_TO_PICKUP later", "\(called)")
        #expect(
            called.last?.contains(" route=none") == true && called.last?.contains("remainingWaypoints[1].pathToWaypoint=none") == true,
            "\(called)")
    }

    @Test("in a log, the calls are those about the trip, and about its vehicle while the vehicle had the trip")
    func logged() throws {
        let other = Entry.fix(at: 25, Entry.way[0], vehicle: "CAR-2")
        let early = Entry.fix(at: 1.5, Entry.way[0])
        let late = Entry.fix(at: 95, Entry.pickup)
        let called = calls(try readLog(Entry.ride + [other, early, late]).recordedTrip(matching: "t1"))
        let methods = called.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(
            methods == [
                "CreateTrip NEW", "UpdateTrip NEW", "UpdateTrip ENROUTE_TO_PICKUP", "UpdateVehicle -", "UpdateVehicle -", "UpdateVehicle -",
                "UpdateTrip ARRIVED_AT_PICKUP", "UpdateTrip ENROUTE_TO_DROPOFF", "UpdateTrip COMPLETE",
            ])
        try #require(called.count == 9)
        #expect(called[2] == "UpdateTrip ENROUTE_TO_PICKUP later tripStatus=ENROUTE_TO_PICKUP", "a value that is left out is no change")
        #expect(called[4].contains("remainingDistanceMeters=556"), "\(called[4])")
    }

    @Test("the status of a shipment is its outcome, or its state")
    func shipment() throws {
        let header = Self.header.replacing(#""trip":"providers/p/trips/t""#, with: #""tracking":"providers/p/taskTrackingInfo/P-1""#)
        let lines = [
            header, #"{"t":"2026-11-22T18:00:01Z","answer":{"state":"OPEN","remainingStopCount":2}}"#,
            #"{"t":"2026-11-22T18:00:06Z","error":{"code":"NOT_FOUND"}}"#,
            #"{"t":"2026-11-22T18:00:11Z","answer":{"state":"CLOSED","taskOutcome":"SUCCEEDED"}}"#,
        ]
        let recorded = try #require(try RecordedShipment(Data(lines.joined(separator: "\n").utf8)))
        var told: [RecordedCall] = []
        recorded.eachCall { told.append($0) }
        #expect(told.map(\.status) == ["OPEN", nil, "SUCCEEDED"] && told.allSatisfy { $0.method == "GetTaskTrackingInfo" })
        let paths = told.map { $0.changes.map(\.path) }
        #expect(paths == [["remainingStopCount", "state"], [], ["remainingStopCount", "state", "taskOutcome"]])
    }
}
