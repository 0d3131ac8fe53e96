/// The moments at which a screen alerts a user who is not looking at it, and the ways in which it alerts the user.
package struct Alerts: Hashable, Sendable {
    package enum Way: String, CaseIterable, Hashable, Sendable {
        case bell
        /// A desktop notification.
        case notice
        /// A progress indicator in the terminal's tab or in the taskbar.
        case progress
    }

    /// A moment as named in the configuration.
    package enum Word: Hashable, Sendable {
        case assigned, here, arrived, delay, lost
        /// Minutes before the pickup of a ride, the drop-off of an order, or a shipment's stop: `5min`.
        case minutes(Int)

        /// Maximum number of minutes: a day.
        private static let mostMinutes = 1_440

        /// Returns nil for a text that is not a moment.
        package init?(_ text: String) {
            switch text {
            case "assigned": self = .assigned
            case "here": self = .here
            case "arrived": self = .arrived
            case "delay": self = .delay
            case "lost": self = .lost
            default:
                guard text.hasSuffix("min"), let number = Int(text.dropLast(3).filter { $0 != " " }),
                    (1...Self.mostMinutes).contains(number)
                else { return nil }
                self = .minutes(number)
            }
        }
    }

    /// A new arrival time counts as a delay if it is at least this many seconds later than the one last reported.
    private static let delaySeconds = 180.0

    package var words: Set<Word>
    package var ways: Set<Way>

    package init(words: Set<Word> = [.minutes(2), .here, .delay, .lost], ways: Set<Way> = [.bell]) {
        (self.words, self.ways) = (words, ways)
    }

    /// Whether at least one moment rings the bell or shows a notification.
    package var isLoud: Bool { !words.isEmpty && !ways.isDisjoint(with: [.bell, .notice]) }

    package var rules: MomentRules {
        var rules = MomentRules(events: Set(words.map(Self.event)))
        (rules.etaChange, rules.isOnlyDelay) = (.seconds(Self.delaySeconds), true)
        rules.tellsDestination = true
        rules.shipmentEvents = Set(words.compactMap(Self.shipmentEvent))
        rules.stopsLeft = 0
        rules.timesLeft = words.compactMap { if case .minutes(let number) = $0 { Double(number) * 60 } else { nil } }.sorted()
        rules.distancesLeft = []
        rules.isOncePerTrip = true
        rules.lostAfterSeconds = 0
        rules.everyMomentTellsArrival = false
        return rules
    }

    /// Returns the shipment event for a moment; nil for `assigned`, which the screen itself detects, and for `lost`, which causes no
    /// alert for a shipment.
    private static func shipmentEvent(_ word: Word) -> ShipmentMoment.Event? {
        switch word {
        case .here: .stopsLeft
        case .arrived: .outcome
        case .delay: .etaChanged
        case .minutes: .timeLeft
        case .assigned, .lost: nil
        }
    }

    private static func event(_ word: Word) -> Moment.Event {
        switch word {
        case .assigned: .assigned
        case .here: .here
        case .arrived: .end
        case .delay: .etaChanged
        case .lost: .positionLost
        case .minutes: .timeLeft
        }
    }
}
