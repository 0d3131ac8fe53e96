/// Of what a screen tells people who do not look at it, and in which ways.
package struct Alerts: Hashable, Sendable {
    package enum Way: String, CaseIterable, Hashable, Sendable {
        case bell
        /// On the desktop.
        case notice
        /// The trip's share that is done, in the tab or the taskbar.
        case progress
    }

    /// A moment by its word.
    package enum Word: Hashable, Sendable {
        case assigned, here, arrived, delay, lost
        /// So many from the pickup: `5min`.
        case minutes(Int)

        /// A day.
        private static let mostMinutes = 1_440

        /// Nil for a text that is no moment.
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

    /// An arrival that is so much later than last told is a delay, seconds.
    private static let delaySeconds = 180.0

    package var words: Set<Word>
    package var ways: Set<Way>

    package init(words: Set<Word> = [.minutes(2), .here, .delay, .lost], ways: Set<Way> = [.bell]) {
        (self.words, self.ways) = (words, ways)
    }

    /// Whether anything is told at all.
    package var isLoud: Bool { !words.isEmpty && !ways.isDisjoint(with: [.bell, .notice]) }

    package var rules: MomentRules {
        var rules = MomentRules(events: Set(words.map(Self.event)))
        (rules.etaChange, rules.isOnlyDelay) = (.seconds(Self.delaySeconds), true)
        rules.tellsDestination = true
        rules.timesLeft = words.compactMap { if case .minutes(let number) = $0 { Double(number) * 60 } else { nil } }.sorted()
        rules.distancesLeft = []
        rules.isOncePerTrip = true
        rules.lostAfterSeconds = 0
        rules.everyMomentTellsArrival = false
        return rules
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
