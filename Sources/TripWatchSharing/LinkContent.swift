package import FoundationEssentials
package import TerminalCanvas
package import TripWatchScreen
package import TripWatchWords

/// The data of one link, from which the responses to the link's viewers are made. Conforming types are plain value types.
package protocol LinkContent: Sendable {
    var secret: LinkSecret { get }
    var subject: FollowedName { get }
    var events: LinkEvents { get }
    /// Time at which the link ends; nil while the time is unknown.
    var endsAt: Date? { get }
    /// Number of changes so far that viewers can see.
    var revision: Int { get }
    /// Title of the map.
    var mapTitle: String { get }
    /// Advances the link's state to the time `now`.
    mutating func tick(_ now: Date)
    /// Appends the last event of the link, which says that the link has ended.
    mutating func end(at now: Date)
    /// Returns the JSON object of `LINK.json`.
    func json(at now: Date) -> String
    /// Returns the page for browsers.
    /// - Parameter nonce: a new nonce for each response.
    func html(at now: Date, nonce: String) -> String
    /// Returns the picture of the link for a terminal of the given size.
    func frame(_ size: Size, at now: Date) -> LinkFrame
    /// Returns the map alone, as a screen of the given size.
    func map(_ size: Size) -> AppState
}

extension LinkContent {
    /// Whether the link has ended.
    package func isOver(at now: Date) -> Bool { endsAt.map { $0 <= now } ?? false }
}

/// A picture for a terminal: lines of text with a screen below them.
package struct LinkFrame: Sendable {
    package var lines: [String] = []
    /// The screen, which fills the rows below the lines; nil for no screen.
    package var screen: AppState?
    /// The text of the last row; nil if that row belongs to the screen.
    package var footer: String?

    package init(lines: [String] = [], screen: AppState? = nil, footer: String? = nil) {
        self.lines = lines
        self.screen = screen
        self.footer = footer
    }
}

/// The time at which a link ends: a fixed time, or a fixed delay after the end of its trip or shipment, whichever comes first.
struct LinkTerm: Sendable {
    /// Time at which the link ends; nil while the time is unknown.
    private(set) var endsAt: Date?
    /// Whether the trip or shipment has ended, so that `endsAt` no longer changes.
    private var isFixed = false
    private let until: Date?
    private let afterSeconds: Double
    /// Word for the subject of the link: `trip` or `shipment`.
    private let noun: String

    init(_ settings: SharedLink.Settings, noun: String) {
        until = settings.until
        endsAt = settings.until
        afterSeconds = settings.afterTripSeconds
        self.noun = noun
    }

    /// Sets the time at which the link ends, after its trip or shipment ended at `moment`.
    mutating func begin(at moment: Date) {
        isFixed = true
        endsAt = [until, moment.addingTimeInterval(afterSeconds)].compactMap { $0 }.min()
    }

    /// The sentence that says when the link ends, for a trip or shipment that has not ended.
    var openWords: String { "This link ends \(afterWords)." }

    /// Returns the sentence that says when the link ends. If the name of the time zone has at most five letters, the sentence for a trip
    /// fits into 58 columns, even with a day such as `30 May`.
    func words(_ options: AppOptions, now: Date) -> String {
        guard let endsAt else { return openWords }
        let zone = options.zone(after: endsAt)
        if isFixed {
            return "This link ends \(Timestamps.phrase(endsAt, now: now, secondsFromGMT: options.secondsFromGMT))\(zone)."
        }
        let clock = Timestamps.clock(endsAt, now: now, secondsFromGMT: options.secondsFromGMT) + zone
        return "Link ends \(afterSeconds < 60 ? "with the \(noun)" : "10 min after the \(noun)") (by \(clock))."
    }

    private var afterWords: String { afterSeconds < 60 ? "with the \(noun)" : "ten minutes after the \(noun) ends" }
}
