import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

/// The scrollable text of an overlay.
struct OverlayText: Hashable {
    struct Line: Hashable {
        var left = ""
        /// Text that follows the left part, at a fixed column.
        var middle = ""
        var right = ""
        var scope = ThemeScope.dialog
        /// Style of the left part, if it differs from ``scope``.
        var leftScope: ThemeScope?
    }

    var title: String
    var lines: [Line]
    /// Preferred width, in columns.
    var columns: Int
    /// Column at which the middle parts start.
    var middleColumn: Int
    /// Number of lines at the top that do not scroll.
    var fixedLines = 0
    /// The keys that scroll, for the title line.
    var scrollKeys = "j k"

    /// Creates the text; nil if the overlay shows no text.
    init?(_ state: AppState) {
        switch state.overlay {
        case .help: self = Self.help(state)
        case .stops: self = Self.stops(state)
        case .events: self = Self.events(state)
        case .details: self = Self.details(state)
        case .search(let search): self = Self.search(search, state)
        case .cancel, .link, nil: return nil
        }
    }

    private init(title: String, lines: [Line], columns: Int, middleColumn: Int) {
        self.title = title
        self.lines = lines
        self.columns = columns
        self.middleColumn = middleColumn
    }

    /// Returns the area of the box. It is centred, or covers the whole of a small screen.
    func area(_ size: Size) -> Rectangle {
        let whole = Rectangle(size)
        guard Self.hasFrame(size) else { return whole }
        return whole.centred(Size(columns: min(columns + 6, size.columns - 4), rows: min(lines.count + 4, size.rows - 4)))
    }

    /// Whether the box has a frame. A frame leaves room for at least three rows of text, as many as the search needs.
    static func hasFrame(_ size: Size) -> Bool { size.columns >= 44 && size.rows >= 11 }

    /// Returns the number of visible text rows.
    func visibleRows(_ size: Size) -> Int {
        max(1, Self.hasFrame(size) ? area(size).rows - 4 : size.rows - (size.rows > 3 ? 1 : 0))
    }

    /// Returns the number of visible rows that scroll.
    func scrolledRows(_ size: Size) -> Int { max(1, visibleRows(size) - fixedLines) }

    func greatestScroll(_ state: AppState) -> Int { max(0, lines.count - fixedLines - scrolledRows(state.size)) }

    /// Returns the lines that are visible now.
    func visibleLines(_ state: AppState) -> [Line] {
        let first = min(state.scroll, greatestScroll(state))
        return Array(lines.prefix(fixedLines)) + lines.dropFirst(fixedLines + first).prefix(scrolledRows(state.size))
    }

    /// Returns which lines are visible, as in `1-14 of 50  j k`; empty if all of them are.
    func place(_ state: AppState) -> String {
        let (count, rows) = (lines.count - fixedLines, scrolledRows(state.size))
        let first = min(state.scroll, greatestScroll(state))
        return count > rows ? "\(first + 1)-\(min(first + rows, count)) of \(count)  \(scrollKeys)" : ""
    }

    private static func help(_ state: AppState) -> OverlayText {
        let columns = 50
        let inside = hasFrame(state.size) ? min(columns, state.size.columns - 10) : state.size.columns
        let middleColumn = inside < 46 ? 10 : 17
        var lines: [Line] = []
        let filter = state.helpFilter
        for group in KeyBinding.Group.allCases {
            let bindings = state.keyMap.bindings.filter {
                $0.group == group && filter?.matches("\($0.keysText) \($0.shownWords)") ?? true
            }
            if bindings.isEmpty { continue }
            if !lines.isEmpty { lines.append(Line()) }
            lines.append(Line(left: group.rawValue, scope: .help, leftScope: .etaCaption))
            for binding in bindings {
                lines += whole(line(binding, state), middleColumn: middleColumn, columns: inside)
            }
        }
        if let filter {
            if lines.isEmpty { lines = [Line(left: "No key matches.", scope: .help)] }
            let title = "KEYS  /\(filter.words)\(filter.isOpen ? "_" : "")"
            return OverlayText(title: title, lines: lines, columns: columns, middleColumn: middleColumn)
        }
        let notes =
            ["Actions in ( ) are off; press the key to see why.", "/ finds a key. Set keys in [keys] of config.toml"]
            + (state.options.usesMouse ? ["Hold Shift to select text with the mouse."] : [])
        lines += notes.flatMap { wrapped($0, columns: max(1, inside), maximumLines: 9) }.map { Line(left: $0, scope: .textQuiet) }
        return OverlayText(title: "KEYS", lines: lines, columns: columns, middleColumn: middleColumn)
    }

    /// Returns the line of a key binding. Actions that are off are in brackets.
    private static func line(_ binding: KeyBinding, _ state: AppState) -> Line {
        func isOff(_ actions: [AppAction]) -> Bool {
            let reasons = actions.map { state.disabledReason($0) }
            return !reasons.contains(nil) && reasons.contains { $0?.isEmpty == false }
        }
        let isDemoQuit = binding.actions.contains(.quit) && state.options.mode == .demo
        let isMapQuit = binding.actions.contains(.quit) && state.options.mode == .map
        let words = isDemoQuit ? "quit and end the demo" : isMapQuit ? "quit" : binding.bracketedWords(isOff)
        let isDisabled = isOff(binding.actions)
        return Line(
            left: binding.keysText, middle: words, scope: isDisabled ? .keyDisabled : .help, leftScope: isDisabled ? .keyDisabled : .key)
    }

    /// Splits a line of keys and words into several lines if it is too long.
    private static func whole(_ line: Line, middleColumn: Int, columns: Int) -> [Line] {
        let isLong = displayWidth(line.left) >= middleColumn
        guard isLong || displayWidth(line.middle) > columns - middleColumn else { return [line] }
        let parts = wrapped(line.middle, columns: max(1, columns - middleColumn), maximumLines: 9)
        var lines = parts.map { Line(middle: $0, scope: line.scope, leftScope: line.leftScope) }
        if isLong {
            lines.insert(Line(left: line.left, scope: line.scope, leftScope: line.leftScope), at: 0)
        } else if !lines.isEmpty {
            lines[0].left = line.left
        }
        return lines
    }

    /// The column of the places in the list of stops.
    private static let stopsMiddle = 12

    private static func stops(_ state: AppState) -> OverlayText {
        var lines: [Line] = []
        if let words = state.driveWords {
            lines = words.steps.map { step in
                let whole = step.text.split(separator: "  ", maxSplits: 1).map(String.init)
                // The word for another rider's stop is too long for its column.
                let parts = displayWidth(whole.first ?? "") < stopsMiddle ? whole : [step.text]
                return Line(
                    left: parts.first ?? "", middle: parts.count > 1 ? parts[1] : "", right: step.right,
                    leftScope: step.kind == .now ? .timelineNow : nil)
            }
        }
        if let words = state.shipmentWords {
            lines = words.steps.map { Line(left: $0.text, right: $0.right, leftScope: $0.kind == .now ? .timelineNow : nil) }
        }
        if let page = state.page {
            for stop in StopList(page, state).stops {
                lines.append(Line(left: stop.title, middle: stop.name, right: stop.right, leftScope: stop.isNext ? .timelineNow : nil))
                lines.append(contentsOf: stop.remark.isEmpty ? [] : [Line(middle: stop.remark, scope: .textQuiet)])
            }
        }
        return OverlayText(title: "STOPS", lines: lines, columns: 56, middleColumn: stopsMiddle)
    }

    private static func events(_ state: AppState) -> OverlayText {
        let (columns, middleColumn) = (66, 10)
        let room = max(10, min(columns, state.size.columns - (hasFrame(state.size) ? 10 : 0)) - middleColumn)
        func whole(_ text: String, after left: String) -> [Line] {
            wrapped(text, columns: room, maximumLines: 8).enumerated().map { row, part in
                Line(left: row == 0 ? left : "", middle: part, leftScope: .textQuiet)
            }
        }
        var lines = state.loggedEvents.reversed().flatMap { whole(state.words($0), after: state.clock($0.time, withSeconds: true)) }
        if lines.isEmpty { lines = [Line(left: "Nothing has happened yet.")] }
        for (heading, faults) in [("config", state.configurationFaults), ("theme", state.themeFaults)] where !faults.isEmpty {
            lines.append(Line())
            for (index, fault) in faults.enumerated() { lines += whole(fault, after: index == 0 ? heading : "") }
        }
        return OverlayText(title: "EVENTS", lines: lines, columns: columns, middleColumn: middleColumn)
    }

    private static func search(_ search: PlaceSearch, _ state: AppState) -> OverlayText {
        let columns = 56
        let origin = search.found.isEmpty ? "" : "from the map's centre"
        var lines = [Line(left: search.words + "_", leftScope: .timelineNow), Line(right: origin, scope: .textQuiet)]
        let fixedLines = lines.count
        for (number, place) in search.found.enumerated() {
            let away = state.distance(state.map.camera.center.distanceMeters(to: place.coordinate))
            let scope: ThemeScope = number == search.focus ? .selection : .dialog
            lines.append(Line(left: place.name, right: "\(place.kind.word) ∙ \(away)", scope: scope))
        }
        if search.found.isEmpty {
            let text =
                state.names?.isLoading == true
                ? "Loading place names …"
                : search.words.isEmpty
                    ? "Type the name of a place, a street or a stop."
                    : state.mapHost == nil ? "No place near here has this name." : "No such name in the parts of the map loaded so far."
            lines.append(Line(left: text, leftScope: .textQuiet))
        }
        var text = OverlayText(title: "LOOK FOR", lines: lines, columns: columns, middleColumn: columns)
        // Letters are typed here, so only named keys scroll.
        (text.fixedLines, text.scrollKeys) = (fixedLines, "arrows")
        return text
    }

    private static func details(_ state: AppState) -> OverlayText {
        let (columns, middleColumn) = (62, 10)
        let inside = hasFrame(state.size) ? min(columns, state.size.columns - 10) : state.size.columns
        // Long values are wrapped, because a shortened name cannot be copied.
        var lines = DetailList(state).all.flatMap { name, value in
            wrapped(value, columns: max(8, inside - middleColumn), maximumLines: 8).enumerated().map { index, part in
                Line(left: index == 0 ? name : "", middle: part, leftScope: .textQuiet)
            }
        }
        if let words = state.failureSentence ?? state.drive?.failureWords?.sentence {
            lines.append(Line())
            let failure = state.page?.failure ?? state.shipment?.failure
            let isForDoctor = failure.map { FailureWords.isForDoctor($0.error) } ?? false
            let sentence = words + (isForDoctor ? " 'tripwatch doctor' finds the cause." : "")
            for (index, text) in wrapped(sentence, columns: 60, maximumLines: 8).enumerated() {
                lines.append(Line(left: text, leftScope: index == 0 ? .timelineNow : nil))
            }
        }
        return OverlayText(title: "DETAILS", lines: lines, columns: columns, middleColumn: middleColumn)
    }
}

/// The trip's stops with times and distances.
struct StopList {
    struct Stop {
        var title: String
        /// The stop's name, or else its coordinates.
        var name: String
        /// Whether the stop has a name.
        var isNamed = true
        var right: String
        var remark: String
        var isNext: Bool
    }

    var stops: [Stop] = []

    init(_ page: TripPage, _ state: AppState) {
        guard let trip = page.trip else { return }
        let ahead = Self.ahead(trip)
        if let before = Self.before(page, trip), !trip.status.isFinal {
            stops.append(Stop(title: "Before", name: before, right: "", remark: "", isNext: false))
        }
        let isAtStop = trip.status.isAtStop && trip.vehicleID != nil
        let isCanceled = trip.status == .canceled
        func add(_ title: String, _ name: String, _ place: Coordinate?, _ time: Date?, isDone: Bool, meters: Double?, isNext: Bool) {
            let isHere = isNext && !isDone && isAtStop
            let clock = time.map { state.clock($0) } ?? "--:--"
            let distance =
                isDone ? "done" : isCanceled ? "cancelled" : isHere ? "here" : meters.map { state.distanceLeft($0) } ?? ""
            let right = padded(distance, columns: 9, alignment: .right) + "  " + clock
            let degrees = place.flatMap { $0.isValid ? TripNames.degrees($0) : nil } ?? "–"
            stops.append(
                Stop(
                    title: title, name: name.isEmpty ? degrees : name, isNamed: !name.isEmpty, right: right, remark: "",
                    isNext: isNext && !isDone))
        }
        let isPickupDone =
            isCanceled ? page.history.pickedUpAt(trip) != nil : !trip.status.isBeforePickup && trip.status != .unknown
        add(
            page.kind.stop(.pickup), page.names.pickup, trip.pickupPoint, Self.pickupTime(page, trip), isDone: isPickupDone,
            meters: ahead[0], isNext: !isPickupDone && !isCanceled)
        let count = trip.intermediateDestinations.count
        for (index, place) in trip.intermediateDestinations.prefix(99).enumerated() {
            add(
                "Stop \(index + 1)", page.names.stopPlace(index), place, Self.stopTime(page, trip, index: index),
                isDone: Self.isDone(page, trip, index: index), meters: ahead[index + 1],
                isNext: isPickupDone && !isCanceled && index == trip.stopIndex)
        }
        add(
            "Drop-off", page.names.dropoff, trip.dropoffPoint, Timeline.dropoffTime(page),
            isDone: trip.status == .complete, meters: ahead[count + 1], isNext: trip.status == .enrouteToDropoff)
    }

    /// Returns the time to show for the pickup: the expected time, the time when the car arrived, or the time when the rider was picked up;
    /// nil if this time is unknown.
    static func pickupTime(_ page: TripPage, _ trip: Trip) -> Date? {
        if !trip.status.isBeforePickup && trip.status != .unknown { return page.history.pickedUpAt(trip) }
        return isAt(.arrivedAtPickup, trip) ? page.history.enteredAt[trip.status] : Timeline.pickupTime(page)
    }

    /// Returns the time to show for a stop on the way: the expected time, or the time when the car arrived or left; nil if this time is
    /// unknown.
    static func stopTime(_ page: TripPage, _ trip: Trip, index: Int) -> Date? {
        if trip.status == .canceled || isDone(page, trip, index: index) { return page.history.leftStopAt[index] }
        let isHere = index == trip.stopIndex && isAt(.arrivedAtIntermediateDestination, trip)
        return isHere ? page.history.enteredAt[trip.status] : Timeline.stopTime(page, index: index)
    }

    private static func isAt(_ status: TripStatus, _ trip: Trip) -> Bool { trip.status == status && trip.vehicleID != nil }

    private static func isDone(_ page: TripPage, _ trip: Trip, index: Int) -> Bool {
        if trip.status == .canceled { return index < page.history.stopsReached }
        return !trip.status.isBeforePickup && trip.status != .unknown && index < trip.stopIndex || trip.status == .enrouteToDropoff
            || trip.status == .complete
    }

    /// Returns a text for the stops that the vehicle makes for other people before this trip's stop; nil without such stops.
    private static func before(_ page: TripPage, _ trip: Trip) -> String? {
        switch page.kind {
        case .ride: trip.stopsBefore > 0 ? "\(trip.stopsBefore) stop\(trip.stopsBefore == 1 ? "" : "s") for other riders" : nil
        case .order:
            page.journey.estimate.flatMap { estimate in
                let count = estimate.stopsBefore
                return count > 0 ? "\(count) other deliver\(count == 1 ? "y" : "ies")" : nil
            }
        }
    }

    /// Returns the distance from the vehicle to each remaining stop of the trip, in metres. The keys are the stops' numbers in the trip: 0
    /// is the pickup, 1 the first stop after it, and so on. A stop at an unknown distance has no entry.
    private static func ahead(_ trip: Trip) -> [Int: Double] {
        var result: [Int: Double] = [:]
        var sum = trip.remainingDistanceMeters
        let intermediates = trip.ownRemainingWaypoints.filter { $0.type == .intermediate }.count
        var next = trip.intermediateDestinations.count - intermediates + 1
        for (index, waypoint) in trip.remainingWaypoints.enumerated() {
            if index > 0 { sum = sum.flatMap { known in waypoint.distanceMeters.map { known + $0 } } }
            guard trip.owns(waypoint) else { continue }
            switch waypoint.type {
            case .pickup: result[0] = sum
            case .intermediate:
                result[next] = sum
                next += 1
            case .dropoff: result[trip.intermediateDestinations.count + 1] = sum
            case .unknown: break
            }
        }
        return result
    }
}
