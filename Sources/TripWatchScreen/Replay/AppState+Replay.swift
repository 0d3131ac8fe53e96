import ConsumerMap
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// One press of an arrow, and one with Shift, recorded seconds.
    private static let scrubSeconds = (10.0, 60.0)

    /// Whether a recording is played.
    var isReplay: Bool { options.mode == .replay }

    /// Takes over a moment of the recording. What the user has chosen stays: overlays, looks, a map moved by hand.
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

    /// Until the time of the recording shows another second, seconds.
    var secondsToNextPosition: Double? {
        guard let replay else { return nil }
        let played = now.timeIntervalSince(replay.start)
        let clock = now.timeIntervalSince1970
        return min(played.rounded(.down) + 1 - played, clock.rounded(.down) + 1 - clock)
    }
}

/// Where in its recording a replay is: `▸  14:02 ⠶⠶⠶⠶⠄⠄⠄⠄ 14:31   5:12 of 29:10`.
struct ScrubBarView {
    let state: AppState
    let replay: ReplayStatus

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        let sign = replay.isPaused || replay.hasEnded ? sheet.tier.next : sheet.tier.now
        sheet.put(sign, column: 1, row: area.row, .timelineNow, columns: 1)
        let used = sheet.putRight(replay.position, endColumn: area.endColumn - 1, row: area.row, .text, columns: area.columns - 3)
        let room = area.columns - used - 8
        guard room >= 24 else {
            // Without its clock times where there is no room for them.
            if room >= 8 { sheet.drawBar(replay.fraction, column: 3, row: area.row, columns: room + 2) }
            return
        }
        let start = state.clock(state.shownTime(replay.start)), end = state.clock(state.shownTime(replay.end))
        let bar = room - start.count - end.count - 2
        sheet.put(start, column: 4, row: area.row, .textQuiet, columns: start.count)
        sheet.drawBar(replay.fraction, column: 5 + start.count, row: area.row, columns: bar)
        sheet.put(end, column: 6 + start.count + bar, row: area.row, .textQuiet, columns: end.count)
    }
}
