import ConsumerMap
import FleetEngine
package import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap

/// Everything on the screen that the passing of time alone can change, and a count of all other changes: two states with the same signature
/// look the same.
package struct FrameSignature: Hashable, Sendable {
    private let revision: Int
    private let texts: [String]
    private let eta: ETAWords?
    private let banner: BannerWords?
    private let camera: Camera
    /// Where the vehicle is, in half dots of the map: dots are rounded down in one place and to the nearest in another.
    private let halfDots: [Int]

    init(_ state: AppState) {
        revision = state.revision
        camera = state.map.camera
        var texts = [state.clock(state.now), state.notice?.text ?? ""]
        var halfDots: [Int] = []
        eta = state.page.map { state.etaWords($0) }
        banner = state.page.flatMap { BannerWords($0, state) }
        if let page = state.page {
            texts += [state.freshnessLine(page), state.lastSeenWords(page) ?? "", page.isFreshlyHere(now: state.now) ? "!" : ""]
            if let vehicle = page.journey.vehicle {
                let place = Viewport(camera: camera, painter: state.painter).dot(at: vehicle.coordinate)
                let sector = vehicle.headingDegrees.flatMap { HeadingSector(degrees: $0) }?.index ?? -1
                halfDots = [(2 * place.x).rounded(.down).clamped(), (2 * place.y).rounded(.down).clamped(), sector]
            }
        }
        self.texts = texts
        self.halfDots = halfDots
    }
}

/// Decides when a frame is drawn: when something visible has changed, and not more often than the line can bear.
package struct FramePacer: Sendable {
    /// Between two frames at least, seconds: ten frames a second here, two at the far end of a line.
    package let interval: Double
    private var drawn: FrameSignature?
    private var drawnAt: Date?
    /// The state that was last found to look as what is drawn.
    private var settled: (revision: Int, now: Date)?

    package init(isRemote: Bool) { interval = isRemote ? 0.5 : 0.1 }

    /// Whether to draw now. What is answered with true counts as drawn.
    /// - Parameter isUrgent: the user pressed a key or changed the size; that is shown at once.
    package mutating func claimFrame(_ state: AppState, now: Date, isUrgent: Bool = false) -> Bool {
        if isSettled(state) { return false }
        let signature = FrameSignature(state)
        guard signature != drawn else {
            settled = (state.revision, state.now)
            return false
        }
        if !isUrgent, let drawnAt, now >= drawnAt, now.timeIntervalSince(drawnAt) < interval - 0.001 { return false }
        drawn = signature
        drawnAt = now
        settled = (state.revision, state.now)
        return true
    }

    /// Whether a state is known to look as what is drawn.
    package func isSettled(_ state: AppState) -> Bool { settled.map { $0 == (state.revision, state.now) } ?? false }

    /// Forgets what was drawn: the next frame is drawn whatever it shows.
    package mutating func reset() { (drawn, settled) = (nil, nil) }

    /// How long the clock may stand still, seconds: until the next second of the clock, or until a gliding vehicle may be seen to have moved.
    package func tickSeconds(_ state: AppState) -> Double {
        let fraction = state.now.timeIntervalSince1970 - state.now.timeIntervalSince1970.rounded(.down)
        let nextSecond = fraction.isFinite ? max(interval, 1 - fraction) : 1
        return state.page?.isGliding == true ? max(interval, min(state.secondsToNextHalfDot, nextSecond)) : nextSecond
    }
}

extension AppState {
    /// A vehicle whose speed is not told counts as one in town, metres a second.
    private static let townSpeed = 14.0
    /// Catching up with its report a drawn vehicle is faster than the real one, by about this factor at most.
    private static let catchingUp = 2.0

    /// At least so long a gliding vehicle stays in its half dot of the map: far out it need not be looked at ten times a second.
    fileprivate var secondsToNextHalfDot: Double {
        let speed = max(1, page?.trip?.lastLocation?.speedMetersPerSecond ?? Self.townSpeed) * Self.catchingUp
        let seconds = map.camera.metersPerColumn / Double(2 * painter.dotsPerCell.columns) / speed
        return seconds.isFinite ? seconds : 0
    }
}

extension Double {
    /// The whole number in a range nearest to this, towards zero; 0 for what is no number.
    func clamped(to range: ClosedRange<Int> = -1_000_000_000...1_000_000_000) -> Int {
        isNaN ? 0 : Int(Swift.min(Swift.max(self, Double(range.lowerBound)), Double(range.upperBound)))
    }
}
