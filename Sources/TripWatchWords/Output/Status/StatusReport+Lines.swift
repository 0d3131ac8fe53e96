import FleetEngine
package import FoundationEssentials
import JourneySharing
import TerminalCanvas

// MARK: - Prompts

extension StatusReport {
    /// The state on one line: `▾ 6 min  14:13  1.8 km`, `▸ here  KVX 204`, `⚠ about 6 min (offline 42 s)`, `✓ arrived 14:31`.
    package var line: String {
        let text =
            switch phase {
            case .looking: "\(glyphs.next) \(eta)"
            case .here, .stop: "\(glyphs.now) " + joined([eta, vehicle])
            case .complete: "\(glyphs.done) " + [eta, clock].filter { !$0.isEmpty }.joined(separator: " ")
            case .cancelled: "\(glyphs.failed) \(eta)"
            case .enroute, .riding, .unknown: countdownLine
            }
        return glyphs.text(text)
    }

    private var countdownLine: String {
        guard journey.isLive else {
            return "\(glyphs.warning) \(eta) (\([freshness, age].filter { !$0.isEmpty }.joined(separator: " ")))"
        }
        let doubt = journey.freshness == .quiet ? "(\(freshness) \(age))" : ""
        return "\(glyphs.car) " + joined([eta, clock, distance, stopsBefore, doubt])
    }

    private var stopsBefore: String {
        guard let before = journey.estimate?.stopsBefore, before > 0 else { return "" }
        return journey.kind.stopsBefore(before)
    }

    private func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: "  ") }
}

// MARK: - Status bars

extension StatusReport {
    /// The line for tmux's `status-right`: the countdown is bold, and each `#` in text from outside the program is doubled. The line is
    /// yellow while the trip is under way and the position is not live.
    package var tmuxLine: String {
        let parts = line.split(separator: " ", maxSplits: 1).map { $0.replacing("#", with: "##") }
        guard parts.count == 2 else { return parts.joined() }
        let color = journey.isLive || !phase.isUnderway ? "" : "#[fg=yellow]"
        let rest = parts[1].split(separator: "  ", maxSplits: 1)
        let tail = rest.count == 2 ? "  \(rest[1])" : ""
        return "\(color)\(parts[0]) #[bold]\(rest.first ?? "")#[nobold]\(tail)#[default]"
    }

    /// One object in waybar's protocol: text, alt, tooltip, class and percentage, which is null while unknown.
    ///
    /// Waybar reads text and tooltip as Pango markup, so text from outside the program is escaped.
    package var waybarLine: String {
        var line = JSONLine()
        line.add("text", .string(Self.markup(isUnderway && !journey.isLive ? "\(glyphs.warning) \(eta)" : eta)))
        line.add("alt", .string(journey.freshness?.rawValue ?? "unknown"))
        line.add("tooltip", .string(Self.markup(tooltip)))
        line.add("class", .string(barClass))
        line.add("percentage", percentage.map(JSONText.integer))
        return line.finished
    }

    private var isUnderway: Bool { phase.isUnderway }

    /// The class for waybar: `offline` or `stopped` if the trip is under way and has this freshness; otherwise the phase.
    private var barClass: String {
        guard isUnderway, let freshness = journey.freshness, [.offline, .stopped].contains(freshness) else { return phase.rawValue }
        return freshness.rawValue
    }

    /// The tooltip for waybar: `Ride to Northgate Station: On the way to you, pickup 14:13, 1.8 km`.
    private var tooltip: String {
        let what = clock.isEmpty || !isUnderway ? clock : "\(stopWord) \(clock)"
        let stale = journey.isLive || !isUnderway ? "" : "\(freshness) \(age)"
        // After the trip, the plate may be unknown. The vehicle's id in its place would look like another car.
        let car = status.isFinal && card?.plate.isEmpty == true ? "" : vehicle
        let parts = [state, what, distance, stopsBefore, car, stale].filter { !$0.isEmpty }
        // In place of a UUID, the title may show coordinates. They do not tell the user much, but a UUID tells even less.
        let name = TripNames(journey.tripName, trip: journey.trip, title: options.title, kind: journey.kind).title
        return "\(name): \(parts.joined(separator: ", "))"
    }

    private var stopWord: String { journey.kind.stop(journey.estimate?.waypoint ?? .unknown).lowercased() }

    package static func markup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

// MARK: - Programs

extension StatusReport {
    /// One JSON object: trip, status, eta, remaining_s, remaining_m, stops_before, freshness, age_s. Each of these keys is
    /// always present. An order also has kind and shop_eta.
    package var jsonLine: String { json(hasClocks: true) }

    /// Like ``jsonLine``, but values that change as time passes are null.
    package var jsonLineWithoutClocks: String { json(hasClocks: false) }

    private func json(hasClocks: Bool) -> String {
        var line = JSONLine()
        fill(&line, trip: journey.tripName.description, hasClocks: hasClocks)
        return line.finished
    }

    /// Returns the JSON object for a link. It contains the trip's bare id and other values for the link's page.
    ///
    /// - Parameters:
    ///   - freshnessText: freshness as shown in the corner of the screen.
    ///   - pickedUpAt: time of the pickup; nil while unknown.
    ///   - droppedOffAt: time of the drop-off; nil while unknown.
    ///   - endsAt: time at which the link ends; nil while unknown.
    package func linkLine(freshnessText: String, pickedUpAt: Date?, droppedOffAt: Date?, endsAt: Date?) -> String {
        var line = JSONLine()
        fill(&line, trip: journey.tripName.trip, hasClocks: true)
        line.add("freshness_text", .string(freshnessText))
        let stops = TripObserver.ownStops(journey)
        // Without a vehicle, the server lists no stops ahead.
        line.add("stops", .array((stops.isEmpty ? journey.trip?.placesAhead ?? [] : stops).map(JSONOutput().stop)))
        line.add("picked_up_at", pickedUpAt.map(JSONText.time))
        line.add("dropped_off_at", droppedOffAt.map(JSONText.time))
        line.add("ends_at", endsAt.map(JSONText.time))
        return line.finished
    }

    private func fill(_ line: inout JSONLine, trip: String, hasClocks: Bool) {
        line.add("trip", .string(trip))
        if journey.kind == .order { line.add("kind", .string(journey.kind.rawValue)) }
        line.add("status", .string(status.name))
        line.add("eta", journey.forecast.shown.map(JSONText.time))
        if journey.kind == .order { line.add("shop_eta", journey.shopArrivalAhead.map(JSONText.time)) }
        // If a car came early and waits at the stop, no countdown to the promised time is shown.
        let isThere = journey.kind == .ride && journey.trip?.status.isAtStop == true
        let remaining = hasClocks && !isThere ? journey.remainingSeconds(now: now).map { max(0, $0) } : nil
        line.add("remaining_s", remaining.map { .number($0, decimals: 0) })
        line.add("remaining_m", journey.estimate?.remainingMeters.map { .number($0, decimals: 0) })
        line.add("stops_before", .integer(journey.trip?.stopsBefore ?? 0))
        line.add("freshness", journey.freshness.map { .string($0.rawValue) })
        line.add("age_s", !hasClocks ? nil : journey.ageSeconds(now: now).map { .number($0, decimals: 1) })
    }
}

extension StatusReport.Phase {
    /// Whether the numbers shown in this phase depend on the car's position.
    fileprivate var isUnderway: Bool { self == .enroute || self == .riding || self == .unknown }
}
