import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The text for a terminal that is too small for the screen. It shows the countdown, the clock time of the arrival, the phase, and the age
/// of the position, in this order, as far as they fit. Words are never cut.
struct TinyView {
    /// Items in order of importance. Each has several texts, the longest first.
    let items: [[String]]

    /// Creates the text of a page from its items.
    init(items: [[String]]) { self.items = items }

    /// Notice about a key that needs a larger terminal.
    static let needed = "needs 20x3"

    init(_ page: TripPage, _ state: AppState) {
        let words = state.etaWords(page)
        var items: [[String]] = []
        let eta = page.etaText(now: state.now)
        if page.trip == nil || eta.value == .unknown || page.phrases.panel != nil {
            if let standing = page.phrases.standing { items.append([standing, page.phrases.line?.word ?? standing]) }
        } else {
            items.append([eta.text, words.number, words.big + words.unit].filter { !$0.isEmpty })
        }
        let ended = page.status == .complete ? page.endedAt : nil
        if let ended { items.append([state.clock(ended)]) }
        if page.phrases.panel == nil, let shown = page.journey.forecast.shown { items.append([state.clock(shown)]) }
        items.append(Self.phase(page, state))
        let freshness = state.freshnessWords(page)
        if !page.status.isFinal { items.append([state.shortFreshness(page), freshness.age.replacing(" ago", with: ""), freshness.word]) }
        self.items = items
    }

    /// Creates the text of a driver's screen.
    init(_ words: DriveWords, _ state: AppState) {
        let eta = words.eta
        let at = eta.detail.hasPrefix("at ") ? String(eta.detail.dropFirst(3)) : ""
        var number = eta.big.isEmpty ? [eta.short] : ["\(eta.big) \(eta.unit)", eta.big + eta.unit]
        var act = [[eta.stopwatch, words.distance]]
        if let card = words.card, card.isOffer {
            // Without a current trip, the number is the distance to the pickup of the offered trip.
            let isAlone = words.steps.isEmpty
            if isAlone { number.insert(eta.short, at: 0) }
            let accept = [state.naming(.accept) { "\($0) accept" }, state.naming(.accept) { $0 }]
            let heading = card.heading + state.naming(.accept) { ": \($0)" }
            act = isAlone ? [[eta.stopwatch] + accept] : [[heading] + accept] + act
        }
        items = [number, [at]] + act + [[words.shortCorner, words.corner.age, words.corner.word]]
    }

    /// Creates the text of a map without a trip.
    init() { items = [["tripwatch \(Self.needed)", Self.needed, "20x3"]] }

    private static func phase(_ page: TripPage, _ state: AppState) -> [String] {
        if page.status.isFinal || page.phrases.standing != nil && page.failure == nil { return [] }
        if let failure = page.failure {
            return page.needsUser
                ? [LinesView.shortWords(failure), page.isWaitingForQuota ? "paused" : "stopped"] : [state.answeredWord(page) ?? "offline"]
        }
        guard page.trip != nil else { return ["connecting", "wait"] }
        return [page.phrases.inSentence, page.phrases.line?.word ?? ""]
    }

    /// Returns lines with as many items as fit side by side, two columns apart. An item is left out if even its shortest text does not fit.
    func lines(_ size: Size) -> [String] {
        var lines = [""]
        for item in items {
            let fitting = item.filter { !$0.isEmpty && displayWidth($0) <= size.columns }
            guard let first = fitting.first else { continue }
            func joined(_ text: String) -> String? {
                let line = (lines.last ?? "") + (lines.last?.isEmpty == false ? "  " : "") + text
                return displayWidth(line) <= size.columns ? line : nil
            }
            if let line = joined(first) {
                lines[lines.count - 1] = line
            } else if lines.count < size.rows {
                lines.append(first)
            } else if let line = fitting.lazy.compactMap(joined).first {
                lines[lines.count - 1] = line
            }
        }
        return lines
    }

    /// - Parameter notice: notice about the last key. If one of its forms fits, it replaces the last line.
    func draw(into sheet: inout Sheet, size: Size, notice: AppState.Notice?) {
        let notice = notice?.form(columns: size.columns)
        let rows = notice == nil ? size.rows : size.rows - 1
        let lines = (rows > 0 ? lines(Size(columns: size.columns, rows: rows)) : []) + (notice.map { [$0] } ?? [])
        for (row, line) in lines.enumerated() where row < size.rows {
            sheet.put(line, column: 0, row: row, row == 0 ? .etaNumber : .text, columns: size.columns)
        }
    }
}

/// Returns as many whole words of a text as fit. The last of them ends with a letter, a digit, `)` or `.`. If no words fit, returns the
/// whole text, which the caller cuts.
func wholeWords(_ text: String, columns: Int) -> String {
    guard displayWidth(text) > columns else { return text }
    var kept = ""
    for end in text.indices where text[end] == " " {
        let part = String(text[..<end])
        if displayWidth(part) > columns { break }
        if part.last.map({ $0.isLetter || $0.isNumber || ").".contains($0) }) == true { kept = part }
    }
    return kept.isEmpty ? text : kept
}
