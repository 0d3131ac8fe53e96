import FleetEngine
import Foundation
import JourneySharing
import Testing

@testable import TripWatchWords

@Suite("Shipments known on this machine")
struct KnownShipmentsTests {
    private let now = Sighting.start
    private let server = KnownTrip.Server(endpoint: "127.0.0.1:50051", isPlaintext: true, caFile: nil)

    private func shipment(
        _ id: String, openedBefore seconds: Double = 0, _ change: (inout TaskTrackingInfo) -> Void = { _ in }
    ) throws -> KnownShipment {
        let name = try TaskTrackingName(provider: "demo", trackingID: id)
        var info = TaskTrackingInfo(name: name, state: .open)
        change(&info)
        var tracker = ShipmentTracker(name: name)
        tracker.observe(ShipmentUpdate(name: name, time: now, kind: .shipment(info, changed: ShipmentFields(from: nil, to: info))))
        var known = KnownShipment(name: name, server: server, openedAt: now.addingTimeInterval(-seconds))
        known.note(tracker, at: now)
        return known
    }

    private func lines(_ known: KnownTrips, after seconds: Double = 0) -> [String] {
        known.lines(now: now.addingTimeInterval(seconds)) { Timestamps.clock($0, secondsFromGMT: 0, withSeconds: false) }
    }

    @Test("stored shipments can be read again beside trips, the last opened one first")
    func keeping() throws {
        var known = KnownTrips()
        let trip = KnownTrip(name: try TripName(provider: "demo", trip: "t"), server: server, openedAt: now.addingTimeInterval(-60))
        known.note([trip], now: now)
        known.note(
            [
                try shipment("late") {
                    $0.estimatedArrivalTime = now.addingTimeInterval(720)
                    $0.targetTimeWindow = TimeWindow(start: now, end: now.addingTimeInterval(7_200))
                    $0.remainingStopCount = 3
                }, try shipment("early", openedBefore: 90),
            ], now: now)
        let read = KnownTrips(known.data)
        #expect(read == known && read.isWhole && read.trips.count == 1)
        #expect(read.shipments.map(\.name.trackingID) == ["late", "early"] && read.shipments.first?.stopsBefore == 2)
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(read.jsonLine.utf8)) as? [[String: Any]])
        #expect(
            objects.compactMap { $0["name"] as? String } == [
                "providers/demo/taskTrackingInfo/late", "providers/demo/trips/t", "providers/demo/taskTrackingInfo/early",
            ])
        #expect(Set(objects.map { $0.keys.sorted() }).count == 1)
    }

    @Test("the newest unfinished trip or shipment is followed")
    func underWay() throws {
        var known = KnownTrips()
        let trip = KnownTrip(name: try TripName(provider: "demo", trip: "t"), server: server, openedAt: now.addingTimeInterval(-60))
        known.note([trip], now: now)
        known.note(
            [
                try shipment("done") { $0.outcome = .succeeded }, try shipment("closed", openedBefore: 10) { $0.state = .closed },
                try shipment("new", openedBefore: 30), try shipment("old", openedBefore: 90),
            ], now: now)
        #expect(known.underWay().map(\.title) == ["shipment new", "trip t", "shipment old"])
        #expect(known.underWay().first?.name == "providers/demo/taskTrackingInfo/new")
        #expect(known.underWay(withShipments: false).map(\.name) == ["providers/demo/trips/t"])
    }

    @Test("a line has the short word of the page, with the countdown of the moment")
    func words() throws {
        func word(after seconds: Double = 0, _ change: (inout TaskTrackingInfo) -> Void) throws -> String {
            var known = KnownTrips()
            known.note([try shipment("p", change)], now: now)
            return try #require(lines(known, after: seconds).first).split(separator: "  ").map(String.init)[2]
        }
        #expect(try word { _ in } == "planned")
        #expect(try word { $0.estimatedArrivalTime = now.addingTimeInterval(720) } == "12 min")
        #expect(try word(after: 120) { $0.estimatedArrivalTime = now.addingTimeInterval(720) } == "10 min")
        #expect(try word { $0.remainingStopCount = 9 } == "8 stops")
        #expect(try word { $0.remainingStopCount = 1 } == "next")
        #expect(try word { $0.remainingDistanceMeters = 900 } == "on its way")
        #expect(try word { $0.outcome = .succeeded } == "done")
        #expect(try word { $0.outcome = .failed } == "not completed")
        #expect(try word { $0.state = .closed } == "closed")
    }

    @Test("the status in JSON is the outcome, or else the state")
    func status() throws {
        for (change, status) in [
            ({ _ in }, "OPEN"), ({ $0.state = .closed }, "CLOSED"), ({ $0.outcome = .failed }, "FAILED"),
        ] as [((inout TaskTrackingInfo) -> Void, String)] {
            var known = KnownTrips()
            known.note([try shipment("p", change)], now: now)
            #expect(known.jsonLine.contains(#""status":"\#(status)""#), "\(known.jsonLine)")
        }
    }

    @Test("a text identifies shipments as it does trips, and a forgotten shipment is gone")
    func meant() throws {
        var known = KnownTrips()
        known.note([try shipment("ABC-1234"), try shipment("DEF-5678"), try shipment("GHI-5678")], now: now)
        for text in ["providers/demo/taskTrackingInfo/ABC-1234", "ABC-1234", "1234"] {
            #expect(known.shipments(meantBy: text).map(\.name.trackingID) == ["ABC-1234"], "\(text)")
        }
        #expect(known.shipments(meantBy: "5678").count == 2)
        #expect(known.shipments(meantBy: "234").isEmpty)
        known.forget(try TaskTrackingName(provider: "demo", trackingID: "ABC-1234"))
        #expect(known.shipments(meantBy: "1234").isEmpty && known.shipments.count == 2)
    }

    @Test("another program's later news stay, and a shipment that was not seen for seven days is removed")
    func merging() throws {
        var known = KnownTrips()
        let done = try shipment("p") { $0.outcome = .succeeded }
        var older = try shipment("p")
        older.lastSeenAt = now.addingTimeInterval(-10)
        known.note([done], now: now)
        known.note([older], now: now)
        #expect(known.shipments == [done])
        known.forget(before: now.addingTimeInterval(KnownTrips.keepingSeconds + 1))
        #expect(known.isEmpty)
    }

    @Test("entries with impossible figures are read without them or not at all")
    func hostile() throws {
        let name = "providers/demo/taskTrackingInfo/p"
        let rest = #""state":"OPEN","opened":0,"seen":0,"endpoint":"h:1","plaintext":true"#
        let read = KnownTrips(Data(#"[{"tracking":"\#(name)","stops":9223372036854775807,\#(rest)},{"tracking":"p",\#(rest)}]"#.utf8))
        #expect(read.shipments.count == 1 && read.shipments.first?.stopsBefore == nil && !read.isWhole)
    }
}
