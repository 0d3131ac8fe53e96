import FleetEngine
import FoundationEssentials
import Testing
import TripWatchSettings
import TripWatchWords

@Suite("The facts that hooks get")
struct HookEventTests {
    private func moment(_ event: Moment.Event) throws -> Moment {
        Moment(
            event: event, trip: try TripName("providers/demo/trips/t"), time: Date(timeIntervalSince1970: 1_935_756_130),
            status: .enrouteToPickup, arrival: Date(timeIntervalSince1970: 1_935_756_430), remainingSeconds: 299.6,
            remainingMeters: 1_804.2,
            changedBySeconds: event == .etaChanged ? -130 : nil)
    }

    @Test("the object has every key, in one order, on one line")
    func object() throws {
        #expect(
            HookEvent(try moment(.etaChanged), id: "an-id").json == """
                {"id":"an-id","t":"2031-05-05T14:02:10.000Z","trip":"providers/demo/trips/t","event":"eta_changed",\
                "status":"ENROUTE_TO_PICKUP","eta":"2031-05-05T14:07:10.000Z","remaining_s":300,"remaining_m":1804,"changed_by_s":-130}
                """)
        let bare = Moment(
            event: .end, trip: try TripName("providers/demo/trips/t"), time: Date(timeIntervalSince1970: 0), status: .complete,
            arrival: nil,
            remainingSeconds: nil, remainingMeters: nil)
        #expect(HookEvent(bare, id: "i").json.hasSuffix(#""eta":null,"remaining_s":null,"remaining_m":null,"changed_by_s":null}"#))
        #expect(HookEvent(bare).id != HookEvent(bare).id)
    }

    @Test("a command gets the same facts; unknown ones are empty")
    func variables() throws {
        let variables = HookEvent(try moment(.timeLeft), id: "i").variables
        #expect(
            variables == [
                "TRIPWATCH_EVENT": "time_left", "TRIPWATCH_TRIP": "providers/demo/trips/t", "TRIPWATCH_STATUS": "ENROUTE_TO_PICKUP",
                "TRIPWATCH_ETA": "2031-05-05T14:07:10.000Z", "TRIPWATCH_REMAINING_S": "300", "TRIPWATCH_REMAINING_M": "1804",
            ])
    }

    @Test("an order says its kind, in the object and in the environment")
    func order() throws {
        let order = Moment(
            event: .end, trip: try TripName("providers/demo/trips/t"), time: Date(timeIntervalSince1970: 0), status: .complete,
            arrival: nil, remainingSeconds: nil, remainingMeters: nil, kind: .order)
        #expect(HookEvent(order, id: "i").json.contains(#""trip":"providers/demo/trips/t","kind":"order","event":"end""#))
        #expect(HookEvent(order, id: "i").variables["TRIPWATCH_KIND"] == "order")
    }

    @Test("a shipment has its tracking name, state, outcome and stops, in the object and in the environment")
    func shipment() throws {
        let moment = ShipmentMoment(
            event: .stopsLeft, shipment: try TaskTrackingName("providers/demo/taskTrackingInfo/P-1"),
            time: Date(timeIntervalSince1970: 1_935_756_130), state: .open, arrival: Date(timeIntervalSince1970: 1_935_756_430),
            remainingSeconds: 299.6, remainingMeters: 1_804.2, stopsBefore: 2)
        let event = HookEvent(moment, id: "an-id")
        #expect(
            event.json == """
                {"id":"an-id","t":"2031-05-05T14:02:10.000Z","tracking":"providers/demo/taskTrackingInfo/P-1","event":"stops_left",\
                "state":"OPEN","outcome":null,"eta":"2031-05-05T14:07:10.000Z","remaining_s":300,"remaining_m":1804,"stops_before":2,\
                "changed_by_s":null}
                """)
        #expect(
            event.variables == [
                "TRIPWATCH_EVENT": "stops_left", "TRIPWATCH_TRACKING": "providers/demo/taskTrackingInfo/P-1", "TRIPWATCH_STATE": "OPEN",
                "TRIPWATCH_OUTCOME": "", "TRIPWATCH_ETA": "2031-05-05T14:07:10.000Z", "TRIPWATCH_REMAINING_S": "300",
                "TRIPWATCH_REMAINING_M": "1804", "TRIPWATCH_STOPS_BEFORE": "2",
            ])
        #expect(event.name == "stops_left" && event.subject == "P-1")
    }

    @Test(
        "a command line is split as a shell splits it, and nothing is expanded",
        arguments: [
            ("notify-send 'Car here' $HOME *", ["notify-send", "Car here", "$HOME", "*"]),
            (#"a\ b "c \"d\" \n" '\' "" x''y"#, ["a b", #"c "d" \n"#, #"\"#, "", "xy"]), ("  say\thi\nyou ", ["say", "hi", "you"]),
            ("echo a;b|c && d > e", ["echo", "a;b|c", "&&", "d", ">", "e"]), ("é 'ü'ö", ["é", "üö"]), ("a\\\nb", ["ab"]),
        ])
    func words(line: String, words: [String]) { #expect(CommandWords(line)?.words == words) }

    @Test("an incomplete or empty line is refused", arguments: ["", "  ", "'a", "\"a", "a\\", "''", "a\u{0}b", "a\u{1b}[2J"])
    func noCommand(line: String) { #expect(CommandWords(line) == nil) }

    @Test("an address is http or https, without a password")
    func addresses() {
        #expect(Hook(address: "https://ntfy.example/topic?tpl=yes") != nil)
        for text in ["", "ftp://a", "https://me:pass@host/", "http://", "https://a/#b", "file:///etc/passwd"] {
            #expect(Hook(address: text) == nil, "\(text)")
        }
    }
}
