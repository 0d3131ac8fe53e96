import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import JourneySharing
import SwiftProtobuf
import TerminalCanvas
import TripRecording
import TripWatchScreen
import TripWatchSharing

extension FuzzTarget {
    /// The readers of shipments from an engine, a recording or a link. The shipments are also drawn as a consumer would see them.
    static let shipments = [shipmentAnswer, shipmentFile, shipmentEvents]

    private static let now = Date(timeIntervalSince1970: 1_935_756_120)

    /// Draws the screen of a shipment. Also creates the page, the JSON and the picture of a link to it.
    private static func show(_ answers: [(date: Date, shipment: TaskTrackingInfo)]) throws {
        guard let first = answers.first, let last = answers.last else { return }
        let name = first.shipment.name
        var link = try SharedShipment(secret: LinkSecret(), source: name, settings: SharedLink.Settings(), now: first.date)
        var screen = AppState(trips: [], shipments: [name], size: Size(columns: 80, rows: 24), now: first.date)
        var known: TaskTrackingInfo?
        for (date, shipment) in answers {
            let kind = ShipmentUpdate.Kind.shipment(shipment, changed: ShipmentFields(from: known, to: shipment))
            let update = ShipmentUpdate(name: name, time: date, kind: kind)
            link.observe(update, pollIntervalSeconds: 5)
            _ = screen.update(.shipment(update, intervalSeconds: 5))
            known = shipment
        }
        let end = last.date.addingTimeInterval(30)
        link.tick(end)
        _ = screen.update(.tick(end, nil))
        _ = link.json(at: end) + link.html(at: end, nonce: "n") + link.events.standingText
        let frame = link.frame(Size(columns: 40, rows: 12), at: end)
        for line in frame.lines { try FuzzFault.check(printable: line, of: "a line of a link's picture") }
        for state in [frame.screen, screen].compactMap({ $0 }) { try check(drawn: state) }
    }

    /// The reader of answers to GetTaskTrackingInfo. Each answer is preceded by its length in two bytes.
    private static let shipmentAnswer = FuzzTarget(
        "shipment-answer", bytes: { [TripSeeds.shipmentAnswers(), TripSeeds.shipmentAnswers(isOver: true)] },
        words: ["providers/p/taskTrackingInfo/p1", "\u{12}\u{9}", "gate_code", "\u{1b}[2J", "\u{202e}"]
    ) { input, _ in
        let name = try TaskTrackingName("providers/p/taskTrackingInfo/p1")
        var answers: [(date: Date, shipment: TaskTrackingInfo)] = []
        for message in messages(in: input) {
            let shipment = TaskTrackingInfo(try WireTaskTrackingInfo(serializedBytes: message), name: name)
            answers.append((now.addingTimeInterval(5 * Double(answers.count)), shipment))
        }
        try show(answers)
    }

    private static let recording = """
        {"tripwatch":"trip","version":1,"tracking":"providers/p/taskTrackingInfo/p1","t":"2031-05-05T10:21:00Z","interval_s":5.0}
        {"t":"2031-05-05T10:21:00.1Z","answer":\(TripSeeds.shipment)}
        {"t":"2031-05-05T10:21:05.1Z","error":{"code":"UNAVAILABLE","message":"restarting","origin":"server","retry_in_s":5.2}}
        {"t":"2031-05-05T10:21:05.1Z","answer":{"state":"OPEN"}}
        {"t":"2031-05-05T10:22:00.1Z","answer":{"state":"CLOSED","taskOutcome":"FAILED"}}

        """

    /// The reader of recorded shipments.
    private static let shipmentFile = FuzzTarget(
        "shipment-file", seeds: [recording], bytes: { [PackedSeeds.gzip(Array(recording.utf8))] }, endings: ["shipment.trip"],
        words: json + [
            "\n", "\"tracking\":", "\"trip\":", "\"answer\":", "\"error\":", "\"t\":", "\"2031-05-05T10:22:00.1Z\"",
            "\"9999-12-31T23:59:59Z\"", "\"retry_in_s\":", "\"interval_s\":",
        ]
    ) { input, _ in
        guard let recording = try RecordedShipment(Data(input)) else { throw RefusedInput() }
        let answers = recording.answers
        guard zip(answers, answers.dropFirst()).allSatisfy({ $0.date < $1.date }) else {
            throw FuzzFault(rule: "a recorded answer is not later than the one before")
        }
        _ = recording.retrySeconds(at: recording.end)
        try show(Array(answers.suffix(3)))
    }

    /// The reader of the events of a shipment that `follow LINK` receives.
    private static let shipmentEvents = FuzzTarget(
        "shipment-events",
        seeds: [
            """
            retry: 2000

            data: {"event":"shipment","t":"2031-05-05T10:22:00Z","tracking":"p1","title":"Shipment p1","ends_at":null}

            data: {"event":"state","tracking":"p1","state":"OPEN"}

            data: {"event":"window","tracking":"p1","start":"2031-05-05T10:00:00Z","end":"2031-05-05T12:00:00Z"}

            data: {"event":"freshness","tracking":"p1","state":"LIVE","age_s":3}

            data: {"event":"location","t":"2031-05-05T10:22:00Z","tracking":"p1","latitude":48.5,"longitude":9.1,"heading":10,"speed_mps":8,"age_s":3}

            data: {"event":"eta","tracking":"p1","eta":"2031-05-05T10:28:00Z","completion":"2031-05-05T10:30:00Z","remaining_m":1804}

            data: {"event":"stops","tracking":"p1","stops_before":2}

            id: 9
            data: {"event":"route","tracking":"p1","polyline":"_p~iF~ps|U_ulLnnqC_mqNvxq`@"}

            data: {"event":"error","tracking":"p1"}

            data: {"event":"recovered","tracking":"p1"}

            id: 12
            data: {"event":"outcome","tracking":"p1","outcome":"SUCCEEDED","time":"2031-05-05T10:21:58Z"}


            """
        ],
        words: json + [
            "data: ", "\n\n", "id: ", "\"tracking\":\"p1\"", "\"event\":\"eta\"", "\"event\":\"location\"", "\"event\":\"replaced\"",
            "\"event\":\"link_ended\"", "\"CLOSED\"", "\r", ":",
        ]
    ) { input, _ in
        var linked = LinkedShipment()
        var shown: [(date: Date, shipment: TaskTrackingInfo)] = []
        for line in try lines(of: input[...]) {
            if linked.apply(line, at: now), let shipment = try? linked.current { shown.append((now, shipment)) }
        }
        try show(Array(shown.suffix(3)))
    }
}
