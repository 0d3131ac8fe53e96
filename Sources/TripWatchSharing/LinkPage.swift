import FleetEngine
package import FoundationEssentials
import JourneySharing
import TripWatchScreen
import TripWatchWords

/// The page of a link: one document that contains its style and script. Only the pictures of the map are separate, and they come from the
/// same server. The page is complete without its script. The script keeps it up to date and converts clock times to the viewer's time zone.
package struct LinkPage: Sendable {
    private let link: SharedLink
    private let state: AppState
    private let now: Date

    /// Text for a link that has ended or never existed.
    package static let noLink = LinkEnd.noLink
    /// Text for viewers whose page is open when the link ends.
    package static let ended = LinkEnd.ended

    package init(_ link: SharedLink, now: Date) {
        self.link = link
        self.now = now
        state = link.screen
    }

    /// Returns the page's Content Security Policy. It allows the page's own script and style, connections to the page's own server, and
    /// images from this server or from the page itself.
    ///
    /// - Parameter nonce: nonce of the style and the script.
    package static func policy(nonce: String) -> String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; img-src 'self' data: blob:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    /// Returns the whole document.
    /// - Parameter nonce: a new nonce for each response.
    package func html(nonce: String) -> String {
        var document = LinkDocument(page?.kind == .order ? .order : .trip)
        document.windowTitle = state.windowTitle
        document.heading = state.page?.names.title ?? ""
        document.freshness = freshness
        document.hero = hero
        document.map = LinkDocument.map(link.secret, alternative: mapWords)
        document.facts = banner + progress + reasons + steps + card
        document.spoken = spoken
        document.ending = ending
        return document.html(nonce: nonce)
    }

    /// Returns the page for a link that does not exist.
    package static func noLinkPage(nonce: String) -> String {
        let head = """
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>tripwatch</title>
            <link rel="icon" href="data:,">
            <style nonce="\(nonce)">\(style)</style>
            """
        return LinkDocument.whole(head: head, body: "<main class=\"ended\"><p>\(noLink)</p></main>")
    }
}

// MARK: - Parts of the page

extension LinkPage {
    private var page: TripPage? { state.page }

    /// The alternative text of the map. For an order, `names.place` is the shop, but the courier does not always drive there.
    private var mapWords: String {
        guard let page else { return "Map" }
        if page.status.isFinal { return "Map of the \(page.kind.subject)" }
        return page.kind == .order ? "Map of the courier's route" : "Map of the route to \(page.names.place)"
    }

    /// A word for the age of the position, followed by the age, which the script keeps current.
    private var freshness: String {
        guard let page else { return "" }
        let words = state.freshnessWords(page)
        let word = "<span class=\"dot \(page.journey.freshness?.rawValue ?? "none")\"></span><b>\(Self.text(words.word))</b>"
        guard !words.age.isEmpty else { return word }
        return word + " ∙ " + LinkDocument.age(words.age, seconds: page.journey.ageSeconds(now: now) ?? 0)
    }

    /// The arrival time, in the largest type on the page.
    private var hero: String {
        guard let page else { return "" }
        let words = state.etaWords(page)
        let big = Self.big(words)
        let number = big.isEmpty ? "" : "<strong class=\"big\">\(Self.text(big))\(unit(words))</strong>"
        return "<p class=\"what\">\(Self.text(heading(page, words)))</p>\(number)<p class=\"at\">\(detail(page, words))</p>"
    }

    /// Returns the screen's heading in lower case, with a capital at its start. A stop's name at the start of the heading keeps its own
    /// capitals. At a stop on the way, returns the heading's short form.
    private func heading(_ page: TripPage, _ words: ETAWords) -> String {
        if page.status == .arrivedAtIntermediateDestination, let panel = page.phrases.panel { return panel.short }
        let stop = state.stopWord(page)
        let capitals = stop.uppercased()
        guard words.heading.hasPrefix(capitals) else {
            return String(words.heading.prefix(1)) + words.heading.dropFirst().lowercased()
        }
        return stop + words.heading.dropFirst(capitals.count).lowercased()
    }

    private static func big(_ words: ETAWords) -> String { words.big.count > 2 && words.unit.isEmpty ? words.big.lowercased() : words.big }

    private func unit(_ words: ETAWords) -> String {
        let unit = [words.unit, words.remark].filter { !$0.isEmpty }.joined(separator: " ")
        return unit.isEmpty ? "" : "<small> \(Self.text(unit))</small>"
    }

    /// Returns the clock time of the arrival, with `at` or `due`; after the trip, that of the drop-off. If there is no such time, or if the
    /// vehicle is at a stop, returns the screen's text below the countdown.
    private func detail(_ page: TripPage, _ words: ETAWords) -> String {
        if page.status.isFinal, let moment = page.history.droppedOffAt(page.trip), page.status == .complete { return "at " + time(moment) }
        guard page.phrases.panel == nil, let shown = page.journey.forecast.shown, page.trip != nil else { return Self.text(words.detail) }
        guard page.etaText(now: now).value == .overdue else { return "at " + time(shown) }
        return "due " + time(shown) + (words.remark.isEmpty ? "" : " \(Self.text(words.remark))")
    }

    /// Returns a clock time in this machine's time zone, as HTML in which the script converts it to the viewer's time zone.
    private func time(_ moment: Date) -> String {
        LinkDocument.time(moment, clock: state.clock(moment), zone: state.options.zoneName(moment))
    }

    private var banner: String {
        guard let page, let failure = page.failure, !page.status.isFinal else { return "" }
        let from = page.journey.lastAnswerAt.map { " Map and arrival time are from \(time(page.clockTime($0)))." } ?? ""
        return "<p class=\"banner\">\(Self.text(FailureWords(failure).meaning)). Trying again.\(from)</p>"
    }

    private var progress: String {
        guard let page, page.isCounting, let meters = page.journey.estimate?.remainingMeters else { return "" }
        let done = Int(((page.journey.progress.fraction ?? 0) * 100).rounded(.down))
        return "<div class=\"way\"><progress max=\"100\" value=\"\(done)\" aria-label=\"Route progress\">\(done) %</progress>"
            + "<span>\(Self.text(state.distanceLeft(meters)))</span></div>"
    }

    /// The reasons for a delay: stops for others, and traffic.
    private var reasons: String {
        guard let page, !page.status.isFinal else { return "" }
        return state.reasons(page).map { "<p>\(Self.text($0.capitalised))</p>" }.joined()
    }

    private var steps: String {
        guard let page, page.trip != nil else { return "" }
        let items = Timeline(page, state, isWide: true).steps.map { step in
            let (name, words) =
                switch step.kind {
                case .done: ("done", "Done: ")
                case .now: ("now", "Now: ")
                case .next: ("next", "Next: ")
                case .goal: ("goal", "Goal: ")
                }
            let right = step.time.map(time) ?? step.latest.map { "before \(time($0))" } ?? Self.text(step.right)
            let current = step.kind == .now ? " aria-current=\"step\"" : ""
            let what = "<span><span class=\"vh\">\(words)</span>\(Self.text(step.text))</span>"
            return "<li class=\"\(name)\"\(current)>\(what)<span>\(right)</span></li>"
        }
        return items.isEmpty ? "" : "<ol>\(items.joined())</ol>"
    }

    /// The vehicle's plate, appearance and driver, by which the rider recognises the vehicle at the kerb.
    private var card: String {
        guard let page, let card = page.shownCard, !card.id.isEmpty else { return "" }
        let heading = page.status.isBeforePickup ? "Look for" : page.kind.vehicleTitle
        let plate = card.plate.isEmpty ? (card.isKnown ? "" : card.id) : card.plate
        let shown = plate.isEmpty ? "" : "<p class=\"plate\">\(Self.text(plate))</p>"
        let looks = [card.looks, card.driver].filter { !$0.isEmpty }.map { "<p>\(Self.text($0))</p>" }.joined()
        return "<div class=\"card\"><h2>\(heading)</h2>\(shown)\(looks)</div>"
    }

    private var spoken: String {
        guard let page, page.trip != nil else { return "Nothing is known about the trip yet." }
        let eta = page.etaText(now: now)
        let isCounting = page.phrases.standing == nil && eta.value != .unknown
        return [page.phrases.spoken, isCounting ? "Arrival: \(eta.spoken)." : nil].compactMap { $0 }.joined(separator: " ")
    }

    private var ending: String {
        guard let end = link.endsAt else { return link.openEndWords }
        return "This link ends at \(time(end))."
    }

    static func text(_ text: String) -> String { LinkDocument.text(text) }
}
