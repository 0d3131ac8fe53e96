import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// All texts of a shipment's page. Values that the server does not share have an empty text or are nil.
struct ShipmentWords: Hashable {
    /// The countdown: heading, figure and clock time.
    private(set) var eta: ETAWords
    /// The text of the state, for the line below the figure; may be empty.
    private(set) var told = ""
    /// The line below the figure as it is shown: empty if the figure already shows the same text.
    var line: String { eta.detail == told ? "" : told }
    /// The state for a tab or a small screen: `12 min`, `8 stops`.
    private(set) var short: String
    /// A short form of the line below the figure, or the number of stops before this shipment, in at most 18 columns; may be empty.
    private(set) var brief = ""
    /// The planned time; empty if unknown. ``windowRelation`` compares the arrival with it.
    private(set) var window = ""
    private(set) var windowRelation = ""
    /// Completed share of the route, 0 to 1; nil while the distance is not shared.
    private(set) var fraction: Double?
    /// Remaining distance; empty while it is not shared.
    private(set) var distance = ""
    private(set) var steps: [Timeline.Step] = []
    /// The word in the corner for the freshness of the data. The age follows it.
    private(set) var corner: String
    private(set) var age = ""
    private(set) var cornerScope = ThemeScope.textQuiet
    /// Whether ``age`` is the age of the server's last answer, because no position is shared.
    private(set) var tellsAnswer = false
    /// Text that states the poll interval, if the interval is long and no position is shared; empty otherwise.
    private(set) var pace = ""

    init(_ page: ShipmentPage, _ state: AppState) {
        guard let known = ShipmentState(page.tracker, now: state.now, secondsFromGMT: state.options.secondsFromGMT) else {
            eta = state.waitingWords(page)
            short = page.failure == nil ? "⋯" : "no answer"
            corner = "connecting"
            setCorner(page, state)
            return
        }
        eta = Self.eta(known, state)
        told = known.line
        brief = Self.brief(known, page, state)
        short = known.short
        (window, windowRelation) = (known.window, known.windowRelation)
        corner = known.short
        setCorner(page, state)
        let isOver = page.tracker.isOver(now: state.now)
        if !isOver, let meters = page.tracker.shipment?.remainingDistanceMeters {
            distance = state.distanceLeft(meters)
            fraction = page.tracker.progress.fraction
        }
        if !isOver, page.map.shipment?.vehicle == nil, page.tracker.pollIntervalSeconds >= Self.slowSeconds {
            pace = "checked every \(TripWords.span(page.tracker.pollIntervalSeconds))"
        }
        addSteps(known, page, state)
    }

    /// Shortest poll interval that the page mentions to the user, in seconds.
    private static let slowSeconds = 30.0

    /// Returns the text in the corner: `live ∙ 4 s ago`, `last checked 4 s ago`.
    func cornerLine(dot: String) -> String { age.isEmpty ? corner : corner + (tellsAnswer ? " " : dot) + age }

    /// The text in the corner of a small screen: `live 4 s`, `4 s ago`.
    var shortCorner: String {
        if tellsAnswer { return age.isEmpty ? corner : age }
        return age.isEmpty ? corner : "\(corner) \(age.hasSuffix(" ago") ? String(age.dropLast(4)) : age)"
    }

    /// The state as one line that can be sent to a person who is waiting. It contains no position.
    func shareLine(_ page: ShipmentPage, _ state: AppState) -> String {
        let tracker = page.tracker
        let parts = tracker.isCurrent ? [eta.short, clock, distance, told] : [eta.short, told]
        let line = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        let hasPosition = tracker.shipment?.vehicleLocation != nil
        guard !tracker.isOver(now: state.now), hasPosition || tracker.failure != nil else { return line }
        let age = hasPosition ? tracker.ageSeconds(now: state.now) : nil
        return line + state.doubt(tracker.freshness, ageSeconds: age, answeredAt: tracker.lastAnswerAt)
    }

    /// The clock time of an arrival in the future; empty otherwise.
    var clock: String { eta.big.isEmpty ? "" : String(eta.detail.dropFirst("at ".count)) }

    /// Texts for the state below the figure, the longest first; empty if the figure already shows the state.
    var present: [String] {
        let text = steps.first { $0.kind == .now && $0.text != eta.short }?.text ?? line
        return text.isEmpty || text == eta.detail ? [] : [text, brief].filter { !$0.isEmpty }
    }

    /// The planned time, and the arrival compared with it, one line each; empty if the figure already shows the planned time.
    var windowLines: [String] {
        guard !window.isEmpty, eta.detail != window else { return [] }
        return ["planned \(window)", windowRelation].filter { !$0.isEmpty }
    }
}

extension AppState {
    /// Texts of the shipment in front; nil if no shipment is in front.
    var shipmentWords: ShipmentWords? { shipment.map { ShipmentWords($0, self) } }

    /// The words of each shipment for its tab.
    var shipmentTabs: [String] { shipments.map { ShipmentWords($0, self).short } }
}

// MARK: - The figure

extension ShipmentWords {
    private static func eta(_ known: ShipmentState, _ state: AppState) -> ETAWords {
        var words = ETAWords(heading: known.heading, big: "", unit: "", detail: "", short: known.heading.sentenceCase)
        switch known.figure {
        case .arrivesIn:
            (words.big, words.unit) = figure(known.value)
            words.detail = "at \(known.clock)"
            words.short = "Arrives \(known.text)"
            if known.isApproximate { words.remark = "(not live)" }
        case .arrivesSoon:
            words.detail = known.value
            words.short = "Arrives \(known.value)"
        case .onItsWay: words.detail = known.line
        case .planned:
            words.detail = known.value.isEmpty ? known.line : known.value
            words.short = known.value.isEmpty ? "Planned" : "Planned \(known.value)"
        case .done:
            words.detail = known.value.isEmpty ? "" : "at \(known.value)"
            words.short = known.value.isEmpty ? "Done" : "Done at \(known.value)"
        case .notDone, .noLongerPlanned: words.detail = known.line
        }
        return words
    }

    private static func brief(_ known: ShipmentState, _ page: ShipmentPage, _ state: AppState) -> String {
        let shipment = page.tracker.shipment
        switch known.figure {
        case .done: return ""
        case .notDone: return shipment?.outcomeTime.map { "tried at \(state.clock($0))" } ?? "attempt failed"
        case .noLongerPlanned: return "may be retried"
        case .planned: return known.short == ShipmentState.overdue ? known.line : "no details yet"
        case .arrivesIn, .arrivesSoon, .onItsWay:
            if let before = shipment?.stopsBefore { return before == 0 ? "You are next" : "\(before) stop\(before == 1 ? "" : "s")" }
            guard known.figure == .onItsWay else { return "" }
            if shipment?.estimatedArrivalTime != nil { return "ETA has passed" }
            return page.tracker.shared.isEmpty ? "no details now" : "arrival not shared"
        }
    }

    /// Splits a duration into a number and its unit: `12` and `min`, `1:05` and `h`.
    private static func figure(_ value: String) -> (String, String) {
        let parts = value.split(separator: " ").map(String.init)
        if parts.count == 4 { return ("\(parts[0]):\(parts[2])", "h") }
        return parts.count == 2 ? (parts[0], parts[1]) : (value, "")
    }
}

extension String {
    /// A heading in capitals, converted to lower case after its first letter.
    fileprivate var sentenceCase: String { String(prefix(1)) + dropFirst().lowercased() }
}

// MARK: - The corner and the steps

extension ShipmentWords {
    private mutating func setCorner(_ page: ShipmentPage, _ state: AppState) {
        let tracker = page.tracker
        guard !tracker.isOver(now: state.now) else { return cornerScope = .freshnessEnded }
        if let freshness = tracker.freshness, tracker.failure != nil || tracker.shipment?.vehicleLocation != nil {
            corner = state.answeredWord(page) ?? (page.isWaitingForQuota ? "paused" : TripWords.freshness(freshness))
            cornerScope = AppState.scope(of: freshness)
            guard freshness != .stopped else { return }
            let known = tracker.ageSeconds(now: state.now) ?? tracker.lastAnswerAt.map { state.now.timeIntervalSince($0) }
            age = known.map { TripWords.age($0) + (freshness == .live ? " ago" : "") } ?? ""
        } else if let answer = tracker.lastAnswerAt {
            corner = "last checked"
            tellsAnswer = true
            age = TripWords.age(state.now.timeIntervalSince(answer)) + " ago"
        }
    }

    private mutating func addSteps(_ known: ShipmentState, _ page: ShipmentPage, _ state: AppState) {
        let shipment = page.tracker.shipment
        /// - Parameter window: the planned time, which is shown if `time` is nil. A narrow row may leave it out, because other parts of
        ///   the page show it too.
        func add(_ kind: Timeline.Kind, _ text: String, _ time: Date?, else window: String = "") {
            let right = time.map { state.clock($0) } ?? window
            steps.append(Timeline.Step(kind: kind, text: text, right: right, isRightOptional: time == nil, time: time))
        }
        let wasOnWay = page.tracker.lastSharedAt != nil
        switch known.figure {
        case .done:
            if wasOnWay { add(.done, "On its way", page.onWayAt) }
            add(.done, "Your stop: done", shipment?.outcomeTime)
        case .notDone, .noLongerPlanned: if wasOnWay { add(.done, "On its way", page.onWayAt) }
        case .planned, .onItsWay, .arrivesIn, .arrivesSoon:
            if let before = shipment?.stopsBefore {
                add(.done, "On its way", page.onWayAt)
                add(.now, ShipmentState.stops(before), nil)
            } else if known.figure != .planned {
                add(.now, "On its way", page.onWayAt)
            }
            add(.next, "Your stop", page.tracker.arrival.shown, else: known.window.replacing(" – ", with: "–"))
            if let completion = shipment?.estimatedCompletionTime { add(.goal, "Done about", completion) }
        }
    }
}
