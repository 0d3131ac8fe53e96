import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchScreen
import TripWatchWords

/// The page of a link to a shipment.
struct ShipmentPage {
    private let link: SharedShipment
    private let words: ShipmentState?
    private let now: Date
    private let zone: String

    /// Creates the page.
    /// - Parameter zone: name of the time zone in which clock times are shown by browsers that do not run the page's script.
    init(_ link: SharedShipment, now: Date, zone: String) {
        self.link = link
        self.now = now
        self.zone = zone
        words = link.state(at: now)
    }

    private var tracker: ShipmentTracker { link.tracker }

    func html(nonce: String) -> String {
        var document = LinkDocument(.shipment)
        document.windowTitle = "\(words?.short ?? "connecting") ∙ \(link.title)"
        document.heading = link.title
        document.freshness = freshness
        document.hero = hero
        document.map = link.hasMap ? LinkDocument.map(link.secret, alternative: "Map of the route") : ""
        document.facts = banner + facts
        document.spoken = spoken
        document.ending = ending
        return document.html(nonce: nonce)
    }

    private var freshness: String {
        let words = ShipmentFreshness(tracker, now: now)
        let word = "<span class=\"dot \(words.mark)\"></span><b>\(LinkDocument.text(words.word))</b>"
        return words.age.isEmpty ? word : word + words.dot + LinkDocument.age(words.age, seconds: words.seconds)
    }

    private var hero: String {
        guard let words else { return "" }
        let heading = words.heading.prefix(1) + words.heading.dropFirst().lowercased()
        let at = [words.clock.isEmpty ? "" : "at \(words.clock)", words.line.capitalised].filter { !$0.isEmpty }
        return "<p class=\"what\">\(LinkDocument.text(String(heading)))</p>\(figure(words))"
            + at.map { "<p class=\"at\">\(timed($0))</p>" }.joined()
    }

    /// Returns the main value in large type. The number of minutes is set in larger type than its unit.
    private func figure(_ words: ShipmentState) -> String {
        guard !words.value.isEmpty else { return "" }
        guard let minutes = words.value.wholeMatch(of: /([0-9]+) min/) else {
            return "<strong class=\"big long\">\(timed(words.value))</strong>"
        }
        return "<strong class=\"big\">\(minutes.1)<small> min</small></strong>"
    }

    private var banner: String {
        guard let failure = tracker.failure, !tracker.isOver(now: now) else { return "" }
        let from = tracker.lastAnswerAt.map { " The data is from \(time($0))." } ?? ""
        return "<p class=\"banner\">\(LinkDocument.text(FailureWords(failure).meaning)). Trying again.\(from)</p>"
    }

    private var facts: String {
        guard let words else { return "" }
        let meters = [.arrivesIn, .onItsWay].contains(words.figure) ? tracker.shipment?.remainingDistanceMeters : nil
        let left = meters.map { DistanceText.left(meters: $0, system: link.options.measurementSystem) } ?? ""
        return [left.capitalised, words.windowLine.capitalised].filter { !$0.isEmpty }.map { "<p>\(timed($0))</p>" }.joined()
    }

    private var spoken: String {
        guard let words else { return "Nothing is known about the shipment yet." }
        let heading = words.heading.prefix(1) + words.heading.dropFirst().lowercased()
        let figure = words.value.isEmpty ? String(heading) : "\(heading) \(words.value)"
        return [figure, words.line, words.windowLine].filter { !$0.isEmpty }.map { "\($0.capitalised)." }.joined(separator: " ")
    }

    private var ending: String { link.endsAt.map { "This link ends at \(time($0))." } ?? link.term.openWords }
}

// MARK: - Clock times

extension ShipmentPage {
    /// Returns a clock time with its day in front if it needs one, and its zone.
    private func time(_ moment: Date) -> String {
        let clock = Timestamps.clock(moment, now: now, secondsFromGMT: link.options.secondsFromGMT)
        return LinkDocument.time(moment, clock: clock, zone: zone)
    }

    private func hour(_ moment: Date) -> String {
        Timestamps.clock(moment, secondsFromGMT: link.options.secondsFromGMT(moment), withSeconds: false)
    }

    /// The times that appear as clock times in the words about a shipment.
    private var moments: [Date] {
        let shipment = tracker.shipment
        let window = shipment?.targetTimeWindow ?? tracker.lastOpen?.targetTimeWindow
        return [
            shipment?.outcomeTime, tracker.arrival.shown, tracker.lastOpen?.estimatedArrivalTime, window?.start, window?.end,
            tracker.lastSharedAt,
        ]
        .compactMap { $0 }
    }

    /// Returns the words as HTML in which the script converts the clock times, and days in front of them, to the viewer's time zone. The
    /// name of the zone follows the last clock time.
    private func timed(_ words: String) -> String {
        let known = Dictionary(moments.map { (hour($0), $0) }) { first, _ in first }
        let text = LinkDocument.text(words)
        let pattern = /(?:[0-9]{1,2} [A-Z][a-z]{2} |[0-9]{4}-[0-9]{2}-[0-9]{2} )?[0-9]{2}:[0-9]{2}/
        let last = text.ranges(of: pattern).last
        return text.replacing(pattern) { match in
            let clock = String(match.output)
            guard let moment = known[String(clock.suffix(5))] else { return clock }
            return LinkDocument.time(moment, clock: clock, zone: match.range == last ? zone : "")
        }
    }
}

extension String {
    /// The text with a capital first letter, for the beginning of a line or sentence.
    var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
