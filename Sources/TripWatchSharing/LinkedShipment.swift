import BoundedJSON
package import FleetEngine
package import FoundationEssentials
import Geo
import TripWatchWords

/// A shipment that is rebuilt from the events of a link. ``SharedShipment`` makes these events.
package struct LinkedShipment: Sendable {
    /// Whether the program that serves the link is currently getting no data from its server.
    package private(set) var isFailing = false
    /// The origin of the failure that ``isFailing`` reports: `server` if the server answered the calls with errors, `local` if it did not
    /// answer.
    private var origin = FleetEngineError.Origin.server
    /// The title that the person who shares the link chose, or the tracking id; nil until it is known.
    package private(set) var title: String?
    private var reader = EventTextReader()
    private var name: TaskTrackingName?
    private var shipment: TaskTrackingInfo?
    /// Whether the link has announced its end.
    private var isOver = false
    /// Whether the link's current state has arrived completely. Only the last event of that state has an id.
    private var isWhole = false

    package init() {}

    /// The shipment's name; nil until enough events have arrived to show the shipment or a failure.
    package var knownName: TaskTrackingName? { isWhole && (shipment != nil || isFailing) ? name : nil }

    /// Discards the rest of the previous event stream.
    package mutating func beginStream() { reader = EventTextReader() }

    /// Applies a line of the event stream, without its line end.
    /// - Returns: whether the line ended an event of the shipment.
    package mutating func apply(_ line: String, at now: Date) -> Bool {
        guard let event = reader.add(line) else { return false }
        if event.id != nil { isWhole = true }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let told = try? decoder.decodeBounded(LinkEventBody.self, from: Data(event.data.utf8)), let tracking = told.tracking else {
            return false
        }
        // A link shares one shipment, so an event of another shipment is ignored.
        if let name, tracking != name.trackingID { return false }
        name = name ?? (try? TaskTrackingName(provider: "link", trackingID: tracking))
        guard let name else { return false }
        apply(told, of: name, at: now)
        return true
    }

    /// The shipment, from the events so far.
    /// - Throws: `notFound` if the link has ended, `unavailable` while the link has no shipment or reports a failure.
    package var current: TaskTrackingInfo {
        get throws(FleetEngineError) {
            if isOver { throw FleetEngineError(code: .notFound, message: LinkPage.ended, origin: .local) }
            guard !isFailing, let shipment else { throw FleetEngineError(code: .unavailable, message: "", origin: origin) }
            return shipment
        }
    }

    private mutating func apply(_ told: LinkEventBody, of name: TaskTrackingName, at now: Date) {
        let kind = LinkEventKind(rawValue: told.event)
        switch kind {
        case .shipment: title = told.title
        case .error: (isFailing, origin) = (true, told.origin == FleetEngineError.Origin.local.rawValue ? .local : .server)
        case .recovered: isFailing = false
        case .linkEnded: isOver = true
        case .replaced: shipment = nil
        // A freshness event without a state means that the position is no longer shared.
        case .freshness where told.state == nil: shipment?.vehicleLocation = nil
        case .state, .window, .stops, .location, .eta, .route, .outcome:
            var shipment = shipment ?? TaskTrackingInfo(name: name)
            fill(&shipment, kind, told, at: now)
            self.shipment = shipment
        default: break
        }
    }

    private func fill(_ shipment: inout TaskTrackingInfo, _ kind: LinkEventKind?, _ told: LinkEventBody, at now: Date) {
        let moment = told.t.flatMap(Date.read) ?? now
        switch kind {
        case .state: shipment.state = told.state.flatMap(DeliveryTaskState.init(rawValue:)) ?? .unknown
        case .window: shipment.targetTimeWindow = told.window(at: moment)
        case .stops: shipment.remainingStopCount = told.stopsBefore.map { min(max($0, 0), 1_000) + 1 }
        case .location: shipment.vehicleLocation = told.location(at: moment)
        case .eta:
            shipment.estimatedArrivalTime = Date.read(told.eta, near: moment)
            shipment.remainingDistanceMeters = told.remainingM
            shipment.estimatedCompletionTime = Date.read(told.completion, near: moment)
        case .route: shipment.route = told.line.isEmpty ? nil : told.line
        case .outcome:
            shipment.outcome = told.outcome.flatMap(DeliveryTaskOutcome.init(rawValue:))
            shipment.outcomeTime = Date.read(told.time, near: moment)
        default: break
        }
    }
}

extension LinkEventBody {
    /// - Parameter moment: the time of the event.
    fileprivate func window(at moment: Date) -> TimeWindow? {
        guard let start = Date.read(start, near: moment), let end = Date.read(end, near: moment), start <= end else { return nil }
        return TimeWindow(start: start, end: end)
    }
}
