import FleetEngine
import FleetEngineWire
import FoundationEssentials
import Geo
import Testing

@testable import TripRecording

@Suite("Hostile logs")
struct HostileLogTests {
    /// Reads a log, and plays its first trips.
    /// - Returns: whether the data could be read as a log.
    @discardableResult
    private func exercise(_ data: Data) -> Bool {
        guard let log = try? FleetEngineLog(data) else { return false }
        for name in log.tripNames.prefix(3) {
            guard let trip = log.recordedTrip(name) else { continue }
            for moment in trip.moments.prefix(50) { _ = trip.snapshot(at: moment) }
            #expect(zip(trip.moments, trip.moments.dropFirst()).allSatisfy { $0 < $1 })
        }
        return true
    }

    #if DEBUG || UNOPTIMIZED
        private static let bytesBetweenCuts = 3
    #else
        private static let bytesBetweenCuts = 1
    #endif

    /// Cuts the log after every byte. Unoptimized builds are slow, so they cut only after every third byte and around line ends.
    @Test("a log cut off at any byte is refused with a sentence", arguments: LogForm.allCases)
    func truncated(form: LogForm) {
        let bytes = Array(form.text(Entry.ride.map { $0.rendered() }).utf8)
        for count in 0..<bytes.count - 2
        where count % Self.bytesBetweenCuts == 0 || bytes[max(0, count - 1)...count].contains(0x0A) {
            let text = sentence { _ = try FleetEngineLog(Data(bytes.prefix(count))) }
            let isWholeLines = form == .lines && (bytes[count] == 0x0A || count > 0 && bytes[count - 1] == 0x0A)
            #expect(isWholeLines ? text == "" || count == 0 : text.contains("recording"), "\(count): \(text)")
        }
    }

    @Test("wrong types anywhere are skipped")
    func wrongTypes() throws {
        let data = try TestFile.madeUpRide
        let value = try JSONDecoder().decode(JSONValue.self, from: data)
        var random = SeededRandom(seed: 11)
        guard case .object(let document) = value else { throw TripRecordingError.empty }
        for round in 0..<10 {
            // Only the entries are changed. The list that contains them stays valid.
            var mutated = document
            for (key, list) in document {
                guard case .array(let entries) = list else { continue }
                mutated[key] = .array(entries.map { Self.mutated($0, chance: round < 5 ? 0.02 : 0.2, &random) })
            }
            #expect(exercise(Data(Self.text(.object(mutated)).utf8)))
        }
    }

    private static let nonsense: [JSONValue] = [
        .null, .bool(true), .number(-1), .number(1e300), .number(0.5), .string(""), .string("NaN"), .string("-inf"), .string("1e999"),
        .string("\u{1b}[2J"), .string("9999-12-31T23:59:59Z"), .string("AhYF"), .string("providers//trips/"), .array([]), .object([:]),
        .array([.array([.null]), .object(["latitude": .string("x")])]), .number(4_294_967_296), .string("-99999999999s"),
    ]

    private static func mutated(_ value: JSONValue, chance: Double, _ random: inout SeededRandom) -> JSONValue {
        if random.chance(chance) { return random.element(of: nonsense) ?? .null }
        switch value {
        case .array(let list): return .array(list.map { mutated($0, chance: chance / 4, &random) })
        case .object(let members):
            var result: [String: JSONValue] = [:]
            for key in members.keys.sorted() { result[key] = members[key].map { mutated($0, chance: chance / 4, &random) } }
            return .object(result)
        default: return value
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .string(let text): "\"\(text.replacing("\u{1b}", with: "\\u001b"))\""
        case .array(let list): "[\(list.map(text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(text($0.value))" }.joined(separator: ","))}"
        }
    }

    @Test("bytes changed at random are read or refused")
    func randomBytes() throws {
        let lines = String(decoding: try TestFile.madeUpRide, as: UTF8.self).split(separator: "\n").dropFirst(4).prefix(20)
        let clean = Array("[\(lines.joined(separator: "\n").dropLast())]".utf8)
        #expect(try FleetEngineLog(Data(clean)).tripNames.count == 1)
        let marks = Array("{}[]\",:\\0-.eEtn\u{0}\n\u{ff}".utf8)
        var random = SeededRandom(seed: 99)
        var read = 0
        for _ in 0..<100 {
            var bytes = clean
            for _ in 0..<random.int(in: 1...20) {
                let index = random.int(in: 0...bytes.count - 1)
                switch random.int(in: 0...2) {
                case 0: bytes[index] = random.element(of: marks) ?? 0
                case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                default: bytes.remove(at: index)
                }
            }
            if exercise(Data(bytes)) { read += 1 }
        }
        #expect((2...98).contains(read), "\(read) of 100")
        for _ in 0..<2000 {
            let count = random.int(in: 0...60)
            exercise(Data((0..<count).map { _ in random.element(of: marks) ?? 0 }))
        }
    }

    @Test("deep nesting is refused before anything recurses into it")
    func deepNesting() {
        let deep = String(repeating: "{\"a\":[", count: 500_000)
        #expect(throws: TripRecordingError.tooDeep(line: 1)) { try readLog("{\"rawLogs\":[" + deep) }
        #expect(throws: TripRecordingError.tooDeep(line: 1)) { try readLog(deep) }
        let allowed =
            String(repeating: "[", count: FleetEngineLog.maximumDepth) + String(repeating: "]", count: FleetEngineLog.maximumDepth)
        #expect(throws: Never.self) { try readLog("[\(allowed)]") }
    }

    @Test("twenty thousand entries are read, whatever they contain")
    func manyEntries() throws {
        let fixes = (0..<200).map {
            Entry.fix(at: 10 + Double($0) / 10, Entry.way[0].offset(eastMeters: Double($0), northMeters: 0)).rendered()
        }
        var lines = [Entry.createTrip(at: 1).rendered(), Entry.assign(at: 2).rendered()]
        for index in 0..<20_000 { lines.append(index % 100 == 0 ? fixes[index / 100 % 200] : "{}") }
        let log = try readLog(LogForm.lines.text(lines))
        #expect(log.entryCount == 20_002 && log.unknownEntryCount == 19_800)
        #expect(try log.recordedTrip(matching: nil).moments.count == 202)
    }

    @Test("too many entries and too many bytes are refused")
    func limits() throws {
        let entries = String(repeating: "{}", count: FleetEngineLog.maximumEntryCount + 1)
        #expect(throws: TripRecordingError.tooManyEntries) { try readLog(entries) }
        let bytes = Data(repeating: 0x20, count: FleetEngineLog.maximumBytes + 1)
        #expect(throws: TripRecordingError.tooLarge(bytes: bytes.count)) { try FleetEngineLog(bytes) }
        let long = "[\n\"" + String(repeating: "a", count: FleetEngineLog.maximumEntryBytes) + "\"]"
        #expect(throws: TripRecordingError.entryTooLarge(line: 2)) { try readLog(long) }
        let lines = "{}\n{\"x\":\"" + String(repeating: "a", count: FleetEngineLog.maximumEntryBytes) + "\"}\n{}\n"
        #expect(throws: TripRecordingError.entryTooLarge(line: 2), "the line is not an incomplete one") { try readLog(lines) }
        let brackets = String(repeating: "[],", count: FleetEngineLog.maximumValueCount / 2)
        #expect(throws: TripRecordingError.tooManyValues(line: 2)) { try readLog("[{},\n{\"x\":[\(brackets)[]]}]") }
        let full = "[" + String(repeating: "{\"x\":[\(brackets.dropLast(9))[]]},", count: 2) + "{}]"
        #expect(try LogEntryScanner.entries(in: Array(full.utf8)).count == 3, "the limit applies to each entry")
    }

    @Test("a trip's recording needs the entries about the trip and its vehicles, and no others")
    func members() throws {
        var members = LogMembers()
        let time = try #require(LogInstant(seconds: 1, nanoseconds: 0))
        func add(_ content: LogEntry.Content) -> Int? {
            members.add(LogEntry(time: time, call: .getTrip, content: content, saysName: true))
        }
        func value(_ text: String) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
        let trip = try TripName(provider: "p", trip: "t1")
        let named = add(.trip(trip, TripReport(try value(#"{"vehicleid":"v1"}"#), answer: nil, mask: nil)))
        let other = add(.tripDeleted(try TripName(provider: "p", trip: "t2")))
        let vehicles = try ["v1", "v2", "v3"].map { add(.vehicleDeleted(try VehicleName(provider: "p", vehicle: $0))) }
        let listed = VehicleReport(answer: try value(#"{"currenttrips":["t1"]}"#), sent: nil, mask: nil, time: time)
        #expect(add(.vehicle(try VehicleName(provider: "p", vehicle: "v2"), listed)) == vehicles[1])
        #expect(members.numbers(for: trip) == Set([named, vehicles[0], vehicles[1]].compactMap { $0 }))
        #expect(other != nil && !members.numbers(for: trip).contains(other ?? 0))
        #expect(add(.taskDeleted(try TaskName("providers/p/tasks/k"))) == nil)
    }

    @Test("blank lines are not kept, whether nothing else is in the log or a line is broken")
    func blankLines() {
        let blank = String(repeating: "\n", count: 2_000_000)
        #expect(throws: TripRecordingError.empty) { try readLog(blank) }
        #expect(throws: TripRecordingError.notJSON(line: 2)) { try readLog("{}\n}" + blank + "{}") }
        #expect(throws: Never.self) { try readLog("{}" + blank + "{}") }
    }

    @Test("a route with more points than the limit is unknown; with exactly as many it is read", arguments: [0, 1])
    func endlessRoute(more: Int) throws {
        let count = PathReader.maximumPointCount + more
        let line = S2Polyline.encode((0..<count).map { Coordinate(latitude: -47 + Double($0) * 1e-6, longitude: -20) })
        let route = [("currentRouteSegment", LogDocument.text(line))]
        let entries = [
            Entry.createTrip(at: 1), Entry.assign(at: 2),
            Entry.fix(at: 3, Entry.way[0], mask: "lastLocation,currentRouteSegment", sent: route),
        ]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        #expect(trip.snapshot(at: Entry.date(3))?.activeRoute.coordinates.count == (more == 0 ? count : 0))
    }

    @Test("if an object has one key in several spellings, always the same one is used")
    func spellings() throws {
        for _ in 0..<20 {
            let text =
                "[{\"timestamp\":\"2026-03-14T09:00:01Z\",\"Timestamp\":\"2026-03-14T09:00:02Z\",\"time_stamp\":\"2026-03-14T09:00:03Z\","
                + "\"jsonPayload\":{\"@type\":\"x.GetTripLog\",\"response\":{\"name\":\"\(Entry.tripName)\",\"status\":\"NEW\"}}}]"
            #expect(try readLog(text).recordedTrip(matching: nil).start == Entry.date(1))
        }
    }
}
