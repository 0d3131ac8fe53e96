import FleetEngine
package import FoundationEssentials
import Geo
package import JourneySharing
import TerminalCanvas

/// The state of a shipment in a few words, for a prompt, a status bar or a script.
package struct ShipmentReport: Sendable {
    package let tracker: ShipmentTracker
    package let now: Date
    let options: StatusReport.Options
    package let glyphs: GlyphTier
    private let page: ShipmentState?

    /// - Parameter now: current time by the local clock.
    package init(_ tracker: ShipmentTracker, now: Date, options: StatusReport.Options = StatusReport.Options()) {
        self.tracker = tracker
        self.now = now
        self.options = options
        glyphs = GlyphTier(options.isASCII ? .ascii : .braille)
        page = ShipmentState(tracker, now: now, secondsFromGMT: options.secondsFromGMT)
    }

    /// The state on one line: `▾ 12 min  15:19  3.4 km  2 stops before yours`, `▸ 14:00–16:00  position and arrival are not shared yet`.
    package var line: String {
        let doubt = tracker.freshness == .notLive ? "(\(freshness))" : ""
        let parts = [eta, clock, distance, overdueWindow, page?.line ?? "", doubt].filter { !$0.isEmpty }
        return glyphs.text("\(mark) \(parts.joined(separator: "  "))")
    }

    /// The planned time window of an overdue shipment, because the short word does not show it; otherwise empty.
    private var overdueWindow: String {
        guard let page, page.figure == .planned, page.short == ShipmentState.overdue else { return "" }
        return page.window.replacing(" – ", with: "–")
    }

    private var mark: String {
        switch page?.figure {
        case .done: "\(glyphs.done)"
        case .notDone, .noLongerPlanned: "\(glyphs.failed)"
        case .arrivesIn, .arrivesSoon, .onItsWay: "\(glyphs.car)"
        case .planned, nil: "\(glyphs.next)"
        }
    }

    /// The line for tmux, with each `#` doubled, because tmux interprets a single `#`.
    package var tmuxLine: String { line.replacing("#", with: "##") }

    /// One object in waybar's protocol. The percentage is always unknown.
    package var waybarLine: String {
        var line = JSONLine()
        line.add("text", .string(StatusReport.markup(glyphs.text(state))))
        line.add("alt", .string(tracker.freshness?.rawValue ?? "unknown"))
        let parts = [state, clock, distance, page?.line ?? ""].filter { !$0.isEmpty }
        line.add("tooltip", .string(StatusReport.markup(glyphs.text("\(trip): \(parts.joined(separator: ", "))"))))
        line.add("class", .string(barClass))
        line.add("percentage", nil)
        return line.finished
    }

    private var barClass: String {
        switch page?.figure {
        case .done: "done"
        case .notDone: "failed"
        case .noLongerPlanned: "closed"
        case .arrivesIn, .arrivesSoon, .onItsWay: "enroute"
        case .planned: "planned"
        case nil: "unknown"
        }
    }

    /// One JSON object. Every key is always present; values that the server does not share are null.
    package var jsonLine: String { json(hasClocks: true) }

    /// The same object without the values that change every second.
    package var jsonLineWithoutClocks: String { json(hasClocks: false) }

    private func json(hasClocks: Bool) -> String {
        var line = JSONLine()
        fill(&line, tracking: tracker.name.description, hasClocks: hasClocks)
        return line.finished
    }

    /// Returns the JSON object for a link. It contains the bare tracking id and other values for the link's page.
    ///
    /// - Parameters:
    ///   - freshnessText: freshness as shown in the corner of the page.
    ///   - endsAt: time at which the link ends; nil while unknown.
    ///   - showsPlace: whether to include the planned location, which is null if the server does not share it.
    package func linkLine(freshnessText: String, endsAt: Date?, showsPlace: Bool) -> String {
        var line = JSONLine()
        fill(&line, tracking: tracker.name.trackingID, hasClocks: true)
        line.add("freshness_text", .string(freshnessText))
        if showsPlace { line.add("place", tracker.shipment?.plannedLocation.map(Self.place)) }
        line.add("ends_at", endsAt.map(JSONText.time))
        return line.finished
    }

    private static func place(_ place: Coordinate) -> JSONText {
        .object {
            $0.add("latitude", .number(place.latitude, decimals: 7))
            $0.add("longitude", .number(place.longitude, decimals: 7))
        }
    }

    private func fill(_ line: inout JSONLine, tracking: String, hasClocks: Bool) {
        let shipment = tracker.shipment
        let eta = ShipmentETA(tracker, now: now)
        line.add("tracking", .string(tracking))
        line.add("state", .string((shipment?.state ?? .unknown).rawValue))
        line.add("outcome", shipment?.outcome.map { .string($0.rawValue) })
        line.add("outcome_time", shipment?.outcomeTime.map(JSONText.time))
        line.add("window_start", shipment?.targetTimeWindow.map { .time($0.start) })
        line.add("window_end", shipment?.targetTimeWindow.map { .time($0.end) })
        line.add("stops_before", eta.stopsBefore.map(JSONText.integer))
        line.add("eta", eta.arrival.map(JSONText.time))
        if hasClocks { line.add("remaining_s", eta.remainingSeconds.map { .number($0, decimals: 0) }) }
        line.add("remaining_m", eta.remainingMeters.map { .number($0, decimals: 0) })
        line.add("completion", eta.completion.map(JSONText.time))
        line.add("freshness", tracker.freshness.map { .string($0.rawValue) })
        if hasClocks { line.add("age_s", tracker.ageSeconds(now: now).map { .number($0, decimals: 1) }) }
    }
}

extension ShipmentReport: StatusFields {
    /// The countdown, or the short word for the state if there is no countdown.
    package var eta: String { state }
    package var clock: String { page?.figure == .done ? page?.value ?? "" : page?.clock ?? "" }
    package var distance: String {
        guard let meters = tracker.shipment?.remainingDistanceMeters, page?.figure == .arrivesIn || page?.figure == .onItsWay else {
            return ""
        }
        return DistanceText.left(meters: meters, system: options.measurementSystem)
    }
    package var state: String { page?.short ?? "" }
    package var freshness: String { tracker.freshness.map { FailureWords.freshness($0, after: tracker.failure) } ?? "" }
    /// The title, or the tracking id if no title was given.
    package var trip: String { sanitised(options.title ?? tracker.name.trackingID, maximumLength: 80) }
    /// The vehicle, which is always empty, because a shipment's data does not identify it.
    package var vehicle: String { "" }
    package func bar(width: Int) -> String {
        ProgressBar(fraction: nil, painter: glyphs.isASCII ? .ascii : .braille).text(columns: min(max(width, 1), 200))
    }
}
