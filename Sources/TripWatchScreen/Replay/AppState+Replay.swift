import ConsumerMap
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Times by which an arrow key moves the replay, without and with Shift, in seconds of the recording.
    private static let scrubSeconds = (10.0, 60.0)

    /// Whether a recording is played.
    var isReplay: Bool { options.mode == .replay }

    /// Shows another moment of the recording. The user's choices are kept: overlays, appearance, a map moved by hand.
    mutating func apply(_ frame: ReplayFrame) {
        now = frame.state.now
        replay = frame.status
        guard let old = pages.first, var page = frame.state.pages.first else { return }
        if old.map.isAllowCameraAutoUpdate {
            page.map.select(old.map.selectedMarker)
        } else {
            let isSummary = page.map.isSummary
            page.map = old.map
            if page.map.isSummary != isSummary { page.map.isSummary = isSummary }
        }
        pages[0] = page
        bringToFront(0)
    }

    mutating func performOnReplay(_ action: AppAction, key: Key) -> [AppEffect] {
        let seconds = key.modifiers.contains(.shift) ? Self.scrubSeconds.1 : Self.scrubSeconds.0
        let command: ReplayCommand? =
            switch action {
            case .pause: .pause
            case .slower: .slower
            case .faster: .faster
            case .scrubBack: .scrub(seconds: -seconds)
            case .scrubForward: .scrub(seconds: seconds)
            case .nextEvent: .nextEvent
            case .previousEvent: .previousEvent
            default: nil
            }
        return command.map { [.replay($0)] } ?? []
    }

    /// Time until the displayed position or clock of the replay changes, in recorded seconds. Both are shown in whole seconds.
    var secondsToNextPosition: Double? {
        guard let replay else { return nil }
        let played = now.timeIntervalSince(replay.start)
        let clock = now.timeIntervalSince1970
        return min(played.rounded(.down) + 1 - played, clock.rounded(.down) + 1 - clock)
    }
}
