import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The summary of a trip that has ended: facts about the ride, and the promised and actual times.
struct SummaryView {
    let page: TripPage
    let state: AppState

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        guard area.rows > 1 else { return }
        let top = area.row + (area.rows >= 6 ? 1 : 0)
        let isNarrow = area.columns < 76
        let columns = isNarrow ? [1, 21, 37] : [4, 27, 49]
        let nameColumns = isNarrow ? 10 : 11
        for (index, line) in headline(columns: columns[1] - columns[0] - 2).prefix(max(0, area.endRow - top)).enumerated() {
            sheet.put(
                line, column: columns[0], row: top + index, index == 0 ? .timelineNow : .text, columns: columns[1] - columns[0] - 1)
        }
        draw(
            ride, column: columns[1], labelColumns: isNarrow ? 7 : 9, columns: columns[2] - columns[1] - 1, top: top, into: &sheet, in: area
        )
        draw(
            promises(isNarrow: isNarrow, columns: area.columns - columns[2] - nameColumns), column: columns[2], labelColumns: nameColumns,
            columns: area.columns - columns[2], top: top, into: &sheet, in: area)
    }

    private func draw(
        _ facts: [(String, String)], column: Int, labelColumns: Int, columns: Int, top: Int, into sheet: inout Sheet, in area: Rectangle
    ) {
        for (index, fact) in facts.prefix(max(0, area.endRow - top)).enumerated() {
            sheet.put(fact.0, column: column, row: top + index, .textQuiet, columns: min(labelColumns, columns))
            sheet.put(fact.1, column: column + labelColumns, row: top + index, .text, columns: max(0, columns - labelColumns))
        }
    }

    /// `Car released.` after the user has cancelled a trip that had a car; empty otherwise.
    var released: String { if case .done = page.canceling, page.card != nil { "\(page.kind.vehicleTitle) released." } else { "" } }

    private func headline(columns: Int) -> [String] {
        let clock = page.endedAt.map { state.clock($0) } ?? ""
        let names = page.names
        let name = displayWidth(names.title) > columns ? names.place : names.title
        // The title bar already shows the whole title.
        let isNamed = names.dropoff.isEmpty || names.title.contains(names.dropoff)
        let title = isNamed ? ["", names.dropoff.isEmpty ? name : names.dropoff] : [name, names.dropoff]
        if page.status == .complete { return ["\(page.phrases.phase)."] + title + [clock] }
        return ["\(page.phrases.phase).", released, name, clock]
    }

    /// Names and values of the facts: waiting time, ride time, distance and stops. An unknown value is a dash. A duration that this
    /// program saw only in part is rounded down.
    private var ride: [(String, String)] {
        let history = page.history
        let start = history.createdAt ?? history.seenAt
        let pickedUp = history.pickedUpAt(page.trip)
        let ended = page.endedAt
        func time(_ from: Date?, _ to: Date?, isWhole: Bool = true) -> String {
            guard let from, let to, to >= from else { return "–" }
            let seconds = to.timeIntervalSince(from)
            if isWhole { return seconds < 60 ? "<1 min" : "\((seconds / 60).rounded().clamped(to: 0...1_000_000)) min" }
            let (count, unit) = seconds < 60 ? (seconds, "s") : (seconds / 60, "min")
            return "\(count.rounded(.down).clamped(to: 0...1_000_000))+ \(unit)"
        }
        // If the trip was booked before this program saw it, the real wait was longer. The plus sign says so.
        let wait = time(start, pickedUp ?? (page.status == .canceled ? ended : nil), isWhole: history.createdAt != nil)
        let driven = history.metersAtPickup.map { max(0, page.journey.taken.lengthMeters - $0) }
        return [
            ("wait", wait), (page.kind == .order ? "travel" : "ride", time(pickedUp, ended)),
            ("driven", driven.map { state.distance($0) } ?? "–"), ("stops", stops),
        ]
    }

    /// The number of stops that the ride made on the way; a dash if the ride did not begin.
    private var stops: String {
        if page.status == .complete { return "\(page.trip?.intermediateDestinations.count ?? 0)" }
        return page.history.pickedUpAt(page.trip) == nil ? "–" : "\(page.history.stopsReached)"
    }

    /// Returns waiting time, ride time and distance in one line. Unknown values are left out. The first known value is always shown, and
    /// the others only if they fit.
    func rideLine(columns: Int) -> String { line(ride.filter { $0.0 != "stops" }, columns: columns) }

    /// Returns in one line how punctual the drop-off and the pickup were, and how many times the announced arrival changed. Unknown values
    /// are left out. The first known value is always shown, and the others only if they fit.
    func promiseLine(columns: Int) -> String {
        let facts = promises(isNarrow: true).filter { $0.0 != "promised" }
        let arrival = page.kind.stop(.dropoff).lowercased()
        return line(facts.filter { $0.0 == arrival } + facts.filter { $0.0 != arrival }, columns: columns)
    }

    private func line(_ facts: [(String, String)], columns: Int) -> String {
        var line = ""
        for (name, value) in facts where value != "–" {
            let longer = line.isEmpty ? "\(name) \(value)" : "\(line), \(name) \(value)"
            if displayWidth(longer) <= columns || line.isEmpty { line = longer }
        }
        return line
    }

    /// Returns names and values: the first promised arrival, the actual times with their lateness, and how many times the announced arrival
    /// changed. If there is little room, the lateness is shown without the actual time.
    private func promises(isNarrow: Bool, columns: Int = .max) -> [(String, String)] {
        let history = page.history
        let arrivals = page.journey.arrivals
        func kept(_ real: Date?, _ stop: JourneyStop) -> String {
            guard let real else { return "–" }
            guard let promise = arrivals[stop].promises.first?.arrival else { return state.clock(real) }
            let words = TripWords.punctuality(minutesLate: ClockMinutes.count(from: promise, to: real))
            return isNarrow ? words : AppState.fitting(["\(state.clock(real)), \(words)", words], columns: columns)
        }
        // The pickup's time on the map is the time at which the rider got in. The time at which the car came therefore needs another name.
        let cameFirst = page.kind == .ride && history.pickedUpAt(page.trip) != nil && history.enteredAt[.arrivedAtPickup] != nil
        let pickup = cameFirst && !isNarrow ? "\(page.kind.vehicle) came" : page.kind.stop(.pickup).lowercased()
        let moves = history.moves
        return [
            ("promised", promised(columns: columns)), (pickup, kept(history.atPickupAt(page.trip), .pickup)),
            (page.kind.stop(.dropoff).lowercased(), kept(history.droppedOffAt(page.trip), .dropoff)),
            ("ETA", moves == 0 ? "never moved" : moves == 1 ? "moved once" : moves == 2 ? "moved twice" : "moved \(moves) times"),
        ]
    }

    /// Returns the arrival that was announced first, and its stop if there is room.
    private func promised(columns: Int) -> String {
        for stop in page.kind == .order ? [JourneyStop.dropoff] : [.pickup, .dropoff] {
            guard let promise = page.journey.arrivals[stop].promises.first else { continue }
            let clock = state.clock(promise.arrival)
            return AppState.fitting(["\(clock) for \(page.kind.stop(stop.waypoint).lowercased())", clock], columns: columns)
        }
        return "–"
    }
}
