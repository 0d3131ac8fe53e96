package import FleetEngine
package import FoundationEssentials
package import TerminalCanvas
package import TripWatchScreen
import TripWatchWords

/// The trip or the shipment of a link, identified by its name at its provider.
package enum LinkSubject: Hashable, Sendable, CustomStringConvertible {
    case trip(TripName)
    case shipment(TaskTrackingName)

    /// The full name.
    package var description: String {
        switch self {
        case .trip(let name): name.description
        case .shipment(let name): name.description
        }
    }

    /// The word for the subject in sentences.
    package var noun: String {
        switch self {
        case .trip: "trip"
        case .shipment: "shipment"
        }
    }

    /// The bare id with its key, for logs.
    package var logged: (key: String, id: String) {
        switch self {
        case .trip(let name): ("trip", name.trip)
        case .shipment(let name): ("tracking", name.trackingID)
        }
    }
}

/// The data of one link that the answers to its readers need. A plain value.
package protocol LinkContent: Sendable {
    var secret: LinkSecret { get }
    var subject: LinkSubject { get }
    var events: LinkEvents { get }
    /// End of the link; nil while unknown.
    var endsAt: Date? { get }
    /// Number of changes that viewers can see.
    var revision: Int { get }
    /// Title of the map.
    var mapTitle: String { get }
    /// Advances the link's state to a time.
    mutating func tick(_ now: Date)
    /// Appends the link's last event, which announces its end.
    mutating func end(at now: Date)
    /// The JSON object of `LINK.json`.
    func json(at now: Date) -> String
    /// The page for browsers.
    /// - Parameters:
    ///   - zone: name of the time zone of clock times, for browsers that do not run the page's script.
    ///   - nonce: a new nonce for each response.
    func html(at now: Date, zone: String, nonce: String) -> String
    /// The picture of the link for a terminal of the given size.
    func frame(_ size: Size, at now: Date) -> LinkFrame
    /// The map alone, as a screen of the given size.
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

/// The end of a link: at a fixed time, or some time after the end of its trip or shipment, whichever comes first.
struct LinkTerm: Sendable {
    /// End of the link; nil while unknown.
    private(set) var endsAt: Date?
    private let until: Date?
    private let afterSeconds: Double
    /// Word for the shared thing: `trip`.
    private let noun: String

    init(_ settings: SharedLink.Settings, noun: String) {
        until = settings.until
        endsAt = settings.until
        afterSeconds = settings.afterTripSeconds
        self.noun = noun
    }

    /// Sets the end of the link from the end of its trip or shipment.
    mutating func begin(at moment: Date) {
        endsAt = [until, moment.addingTimeInterval(afterSeconds)].compactMap { $0 }.min()
    }

    /// A sentence about the link's end while the end of the trip or shipment is unknown.
    var openWords: String { "This link ends \(afterWords)." }

    /// The same sentence, with the fixed time if there is one.
    func words(_ options: AppOptions) -> String {
        guard let until else { return openWords }
        let clock = Timestamps.clock(until, secondsFromGMT: options.secondsFromGMT(until), withSeconds: false)
        return "This link ends at \(clock) \(options.zoneName), or \(afterWords)."
    }

    private var afterWords: String { afterSeconds < 60 ? "with the \(noun)" : "ten minutes after the \(noun)" }
}
