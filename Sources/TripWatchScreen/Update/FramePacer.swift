import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchWords

/// All values on the screen that can change because time passes. The map's signature also contains the number of all other changes, so two
/// states with equal signatures look the same.
package struct FrameSignature: Hashable, Sendable {
    private let map: MapSignature
    private let texts: [String]
    private let eta: ETAWords?
    private let banner: BannerWords?
    private let drive: DriveWords?
    private let shipment: ShipmentWords?
    private let list: ListWords?

    init(_ state: AppState) {
        map = MapSignature(state)
        guard state.list == nil else {
            list = ListWords(state, rows: ListLayout(state.size).rows.rows)
            eta = nil
            banner = nil
            drive = nil
            shipment = nil
            texts = [state.clock(state.shownNow)]
            return
        }
        list = nil
        var texts = [state.notice?.text ?? ""]
        eta = state.page.map { state.etaWords($0) }
        banner = state.banner
        drive = state.driveWords
        shipment = state.shipmentWords
        if let page = state.page {
            texts += [
                state.clock(state.shownNow), state.freshnessLine(page), state.lastSeenWords(page.journey) ?? "",
                page.isFreshlyHere(now: state.now) ? "!" : "",
            ]
        } else if state.drive != nil || state.shipment != nil {
            texts.append(state.clock(state.shownNow))
        }
        if state.hasTabs { texts += state.pages.map { $0.etaText(now: state.now).text } + state.shipmentTabs }
        self.texts = texts
    }
}

/// Decides when to draw a frame after a visible change. A frame that the user requested is drawn as soon as it is complete, but after
/// ``patience`` even if it is incomplete. Other frames are drawn at most as often as the connection allows.
package struct FramePacer: Sendable {
    /// The action for a state.
    package enum Decision: Hashable, Sendable {
        /// Draw nothing, because the state looks like the last frame.
        case rest
        /// Draw the state now. The pacer assumes that it is drawn.
        case draw
        /// Check the state again at this moment.
        case wait(until: ContinuousClock.Instant)
    }

    /// Minimum time between two frames that the user did not request.
    package let interval: Duration
    /// Longest time that a requested frame waits for missing tiles after it could first be drawn. It is too short to notice, but longer
    /// than loading a tile takes.
    package static let patience = Duration.milliseconds(15)
    private var drawn: FrameSignature?
    /// Number of requests at the last frame.
    private var drawnRequests = 0
    /// Time of the last frame that the user did not request.
    private var pacedAt: ContinuousClock.Instant?
    /// Time at which the requested frame could first be drawn; nil if no request is pending.
    private var firstPartAt: ContinuousClock.Instant?
    /// The last state that is known to look like the drawn frame.
    private var settled: (revision: Int, now: Date)?

    package init(interval: Duration) { self.interval = interval }

    /// Decides whether a state is drawn now.
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

    /// Earliest time of the next frame that the user did not request; nil if no such frame has been drawn yet.
    package var nextPacedFrame: ContinuousClock.Instant? { pacedAt.map { $0 + interval } }

    /// Whether a state is known to look like the drawn frame.
    private func isSettled(_ state: AppState) -> Bool { settled.map { $0 == (state.revision, state.now) } ?? false }

    /// Forgets the drawn frame, so the next one is drawn in any case.
    package mutating func reset() {
        drawn = nil
        settled = nil
        pacedAt = nil
    }
}

extension Double {
    /// Returns the number rounded towards zero and limited to a range; 0 for NaN.
    func clamped(to range: ClosedRange<Int> = -1_000_000_000...1_000_000_000) -> Int {
        isNaN ? 0 : Int(Swift.min(Swift.max(self, Double(range.lowerBound)), Double(range.upperBound)))
    }
}
