import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap

/// Everything on the screen that time alone can change: two states with the same signature look the same.
package struct FrameSignature: Hashable, Sendable {
    private let map: MapSignature
    private let texts: [String]
    private let eta: ETAWords?
    private let banner: BannerWords?
    private let drive: DriveWords?
    private let list: ListWords?

    init(_ state: AppState) {
        map = MapSignature(state)
        guard state.list == nil else {
            list = ListWords(state, rows: ListLayout(state.size).rows.rows)
            eta = nil
            banner = nil
            drive = nil
            texts = [state.clock(state.shownNow)]
            return
        }
        list = nil
        var texts = [state.notice?.text ?? ""]
        eta = state.page.map { state.etaWords($0) }
        banner = state.banner
        drive = state.driveWords
        if let page = state.page {
            texts += [
                state.clock(state.shownNow), state.freshnessLine(page), state.lastSeenWords(page.journey) ?? "",
                page.isFreshlyHere(now: state.now) ? "!" : "",
            ]
            if state.hasTabs { texts += state.pages.map { $0.etaText(now: state.now).text } }
        } else if state.drive != nil {
            texts.append(state.clock(state.shownNow))
        }
        self.texts = texts
    }
}

/// Decides when a frame is drawn: when something visible has changed. What somebody asked for is drawn as soon as all of it is there, what
/// comes by itself not more often than the line can bear.
package struct FramePacer: Sendable {
    /// What is to be done about a state.
    package enum Decision: Hashable, Sendable {
        /// It looks as what is drawn.
        case rest
        /// It is to be drawn, and counts as drawn.
        case draw
        /// It is to be looked at again at this moment.
        case wait(until: ContinuousClock.Instant)
    }

    /// Between two frames that come by themselves at least.
    package let interval: Duration
    /// So long what was asked for waits for its missing tiles, from its first part on: less than an eye notices, more than a tile takes.
    package static let patience = Duration.milliseconds(15)
    private var drawn: FrameSignature?
    /// What had been asked for when the last frame was drawn.
    private var drawnRequests = 0
    /// When the last frame was drawn that came by itself.
    private var pacedAt: ContinuousClock.Instant?
    /// When the first part of what was asked for could have been drawn.
    private var firstPartAt: ContinuousClock.Instant?
    /// The state that was last found to look as what is drawn.
    private var settled: (revision: Int, now: Date)?

    package init(interval: Duration) { self.interval = interval }

    /// What to do now.
    package mutating func decide(_ state: AppState, now: ContinuousClock.Instant) -> Decision {
        if isSettled(state) { return .rest }
        let signature = FrameSignature(state)
        guard signature != drawn else {
            settled = (state.revision, state.now)
            return .rest
        }
        if state.requests != drawnRequests {
            let first = firstPartAt ?? now
            firstPartAt = first
            if state.awaitsRequested, now < first + Self.patience { return .wait(until: first + Self.patience) }
        } else {
            if let earliest = nextPacedFrame, now < earliest { return .wait(until: earliest) }
            pacedAt = now
        }
        drawn = signature
        drawnRequests = state.requests
        firstPartAt = nil
        settled = (state.revision, state.now)
        return .draw
    }

    /// Before this moment no frame is drawn that comes by itself; nil where any may be.
    package var nextPacedFrame: ContinuousClock.Instant? { pacedAt.map { $0 + interval } }

    /// Whether a state is known to look as what is drawn.
    private func isSettled(_ state: AppState) -> Bool { settled.map { $0 == (state.revision, state.now) } ?? false }

    /// Forgets what was drawn: the next frame is drawn whatever it shows.
    package mutating func reset() {
        drawn = nil
        settled = nil
        pacedAt = nil
    }
}

extension Double {
    /// The whole number in a range nearest to this, towards zero; 0 for what is no number.
    func clamped(to range: ClosedRange<Int> = -1_000_000_000...1_000_000_000) -> Int {
        isNaN ? 0 : Int(Swift.min(Swift.max(self, Double(range.lowerBound)), Double(range.upperBound)))
    }
}
