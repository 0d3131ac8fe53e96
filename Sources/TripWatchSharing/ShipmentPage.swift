import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchScreen
import TripWatchWords

/// The page of a link to a shipment.
struct ShipmentPage {
    private let link: SharedShipment
    private let words: ShipmentState?
    private let times: ShipmentTimes
    private let now: Date

    init(_ link: SharedShipment, now: Date) {
        self.link = link
        self.now = now
        words = link.state(at: now)
        times = ShipmentTimes(link.tracker)
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
        let at = words.clock.isEmpty ? "" : timed("at \(words.clock)", times.clock)
        let below = [at, timed(words.line.capitalised, times.line)].filter { !$0.isEmpty }
        return "<p class=\"what\">\(LinkDocument.text(String(heading)))</p>\(figure(words))"
            + below.map { "<p class=\"at\">\($0)</p>" }.joined()
    }

    /// Returns the main value in large type. The number of minutes is set in larger type than its unit.
    private func figure(_ words: ShipmentState) -> String {
        guard !words.value.isEmpty else { return "" }
        guard let minutes = words.value.wholeMatch(of: /([0-9]+) min/) else {
            return "<strong class=\"big long\">\(timed(words.value, times.value))</strong>"
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
        return [LinkDocument.text(left.capitalised), timed(words.windowLine.capitalised, times.windowLine)].filter { !$0.isEmpty }
            .map { "<p>\($0)</p>" }.joined()
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
    /// Returns a clock time and its zone as HTML. If the time needs a day, the day comes first.
    private func time(_ moment: Date) -> String {
        let clock = Timestamps.clock(moment, now: now, secondsFromGMT: link.options.secondsFromGMT)
        return LinkDocument.time(moment, clock: clock, zone: link.options.zoneName(moment))
    }

    /// Returns the words as HTML. The page's script converts each clock time, and the date in front of it if there is one, to the viewer's
    /// time zone.
    /// - Parameter moments: the times that the words show, in the order of the words.
    private func timed(_ words: String, _ moments: [Date]) -> String {
        LinkDocument.text(words).replacingClocks(of: moments, link.options) { clock, moment, zone in
            LinkDocument.time(moment, clock: clock, zone: zone)
        }
    }
}

extension String {
    /// The text with a capital first letter, for the beginning of a line or sentence.
    var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
