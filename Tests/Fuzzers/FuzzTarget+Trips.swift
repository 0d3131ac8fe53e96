import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import Geo
import JourneySharing
import SwiftProtobuf
import TerminalCanvas
import TripRecording
import TripWatchScreen
import TripWatchSettings
import TripWatchSharing

extension FuzzTarget {
    /// The readers of trips from an engine, a recording or a link, of a `FleetSnapshot`, and of a `DeliveryManifest`. Trips from the first
    /// three are also drawn as a rider would see them.
    static let trips = [tripAnswer, recording("fleet-log", logs), recording("trip-file"), linkEvents, snapshot, manifest]

    private static let now = Date(timeIntervalSince1970: 1_935_756_120)
    private static let theme = ThemeCatalog().load(nil, background: .light, depth: .none).theme

    /// Creates the page, the JSON and the pictures of a link to the trip.
    private static func show(_ trips: [Trip], at now: Date) throws {
        guard let name = trips.first?.name else { return }
        var link = try SharedLink(secret: LinkSecret(), source: name, settings: SharedLink.Settings(), now: now)
        for trip in trips { _ = link.observe(TripUpdate(name: name, time: now, kind: .trip(trip, changed: []))) }
        link.tick(now.addingTimeInterval(30))
        _ = link.json(at: now) + LinkPage(link, now: now).html(nonce: "n") + link.events.standingText
        for state in [link.map(Size(columns: 40, rows: 12)), link.frame(Size(columns: 80, rows: 24))] {
            try check(drawn: state)
        }
    }

    /// Draws a screen. Throws if its text is not safe to print.
    static func check(drawn state: AppState) throws(FuzzFault) {
        let text = AppView().canvas(state, theme: theme).text()
        try FuzzFault.check(printable: text.replacing("\n", with: " "), of: "a screen")
    }

    /// The reader of answers to GetTrip. Two bytes with the length precede each answer.
    private static let tripAnswer = FuzzTarget(
        "trip-answer", bytes: { [TripSeeds.answer(), TripSeeds.answer(isAhead: true)] },
        words: ["providers/p/trips/t", "\u{12}\u{9}", "license_plate", "\u{1b}[2J", "\u{202e}"]
    ) { input, _ in
        let name = try TripName("providers/p/trips/t")
        var trips: [Trip] = []
        for message in messages(in: input) {
            trips.append(Trip(try WireTrip(serializedBytes: message), name: name, knownRoute: trips.last?.activeRoute.line))
        }
        try show(trips, at: now)
    }

    /// Returns two inputs with entries of an exported log: one entry in each line, and an object with an array of entries.
    @Sendable private static func logs() -> [[UInt8]] {
        let text = Corpus.text(of: "TripRecordingTests/Fixtures/made-up-ride.json")
        let entries = text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("{\"jsonpayload\"") }
        let lines = entries.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
        return [lines.prefix(6).joined(separator: "\n"), "{\"entries\":[" + lines.suffix(4).joined(separator: ",") + "]}"].map {
            Array($0.utf8)
        }
    }

    private static func recording(_ name: String, _ bytes: @escaping @Sendable () -> [[UInt8]] = { [] }) -> FuzzTarget {
        FuzzTarget(
            name, bytes: bytes, endings: name == "trip-file" ? [".trip"] : [],
            words: json + ["\n", "\"request\"", "\"response\"", "\"@type\"", "\"trip\"", "\"answer\"", "\"t\":", "\u{1f}\u{8b}"]
        ) { input, _ in
            let trip = try RecordedTrip(Data(input))
            // One moment for each input is enough, because the inputs differ little, and drawing takes longer than reading.
            let date = [trip.start, trip.moments[trip.moments.count / 2], trip.end][input.count % 3]
            let client = RecordedTripClient(trip, time: StoppedClock(date: date))
            guard let answer = try? await client.getTrip(GetTripRequest(name: trip.name)) else { return }
            try show([answer], at: date)
        }
    }

    /// The reader of the events that `follow LINK` receives.
    private static let linkEvents = FuzzTarget(
        "link-events",
        seeds: [
            """
            retry: 2000

            data: {"event":"trip","t":"2031-05-05T10:22:00Z","trip":"t1","kind":"ride","title":"Ride","pickup":"A","dropoff":"B","plate":"KVX 2"}

            data: {"event":"trip","trip":"t1","places":[{"type":"INTERMEDIATE","latitude":48.5,"longitude":9.1}],"stop_index":1,"picked_up_at":null}

            data: {"event":"status","trip":"t1","status":"ENROUTE_TO_PICKUP"}

            data: {"event":"vehicle","trip":"t1","vehicle":"car-7"}

            data: {"event":"location","trip":"t1","latitude":48.5,"longitude":9.1,"heading":10,"speed_mps":8,"age_s":3,"fix_time":"2031-05-05T10:21:57Z"}

            data: {"event":"eta","trip":"t1","waypoint":"pickup","eta":"2031-05-05T10:28:00Z","remaining_m":1804}

            data: {"event":"route","trip":"t1","polyline":"_p~iF~ps|U_ulLnnqC_mqNvxq`@"}

            data: {"event":"traffic","trip":"t1","intervals":[{"start_m":0,"end_m":900,"speed":"SLOW"}]}

            data: {"event":"waypoints","trip":"t1","stops_before":1,"next_type":"PICKUP","remaining":[{"type":"PICKUP","latitude":48.52,"longitude":9.12,"eta":"2031-05-05T10:28:00Z","distance_m":1804}]}

            data: {"event":"error"}

            id: 1
            data: {"event":"recovered"}


            """
        ],
        words: json + [
            "data: ", "\n\n", "id: ", "\"event\":\"eta\"", "\"event\":\"waypoints\"", "\"event\":\"link_ended\"", "\"COMPLETE\"", "\r", ":",
        ]
    ) { input, _ in
        var linked = LinkedTrip()
        linked.note(serverTime: now.addingTimeInterval(2), at: now)
        // The program itself keeps only the latest trip. This test keeps the last three, because all trips of one input, each with 1,000
        // stops before the rider's stop, would need 300 MB.
        var shown: [Trip] = []
        for line in try lines(of: input[...]) {
            if linked.apply(line, at: now), let trip = try? linked.trip(at: now) { shown = shown.suffix(2) + [trip] }
        }
        // Drawing takes twice as long as reading. The inputs differ little, so drawing an eighth of them is enough.
        if input.count % 8 == 0 { try show(shown, at: now) }
    }

    private static let snapshot = FuzzTarget(
        "snapshot",
        seeds: [
            #"{"version":1,"trips":[{"name":"providers/p/trips/t","tripType":"EXCLUSIVE","tripStatus":"NEW","numberOfPassengers":1,"#
                + #""pickupPoint":{"point":{"latitude":48.5,"longitude":9.1}},"vehicleId":"v"}],"vehicles":[{"name":"providers/p/vehicles/v","#
                + #""vehicleState":"ONLINE","maximumCapacity":3,"supportedTripTypes":["EXCLUSIVE"],"vehicleType":{"category":"AUTO"},"#
                + #""currentTrips":["t"]}],"tasks":[],"deliveryVehicles":[]}"#
        ], words: json + ["\"trips\":", "\"vehicles\":", "\"version\":2", "providers/p/trips/t", "\"tripStatus\""]
    ) { input, _ in
        let snapshot = try FleetSnapshot(json: input)
        var state = FleetEngineState()
        _ = try state.load(snapshot, now: now)
        _ = state.export().json
    }

    private static let manifest = FuzzTarget(
        "manifest",
        seeds: [TripSeeds.plan], words: json + ["\"manifests\":[", "\"tasks\"", "\"stops\"", "\"lat\"", "\"duration_seconds\""]
    ) { input, _ in
        try load(plan: input)
    }

    /// Reads a plan of deliveries, and loads it into a new engine.
    static func load(plan json: [UInt8]) throws {
        let manifest = try DeliveryManifest(json: json, provider: "p")
        var state = FleetEngineState()
        do throws(FleetEngineError) { _ = try state.load(manifest.snapshot, now: now) } catch { _ = manifest.words(error) }
    }
}

/// A clock that always shows the same time.
struct StoppedClock: TimeSource {
    let date: Date

    func now() -> Date { date }
    func sleep(until deadline: Date) async throws { try Task.checkCancellation() }
}
