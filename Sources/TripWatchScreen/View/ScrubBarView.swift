import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Position of a replay in its recording: `▸  14:02 ⠶⠶⠶⠶⠄⠄⠄⠄ 14:31   5:12 of 29:10`.
struct ScrubBarView {
    let state: AppState
    let replay: ReplayStatus

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        let playing = sheet.tier.isASCII ? ">" : sheet.tier.now
        let sign = replay.isPaused || replay.hasEnded ? sheet.tier.next : playing
        sheet.put(sign, column: 1, row: area.row, .timelineNow, columns: 1)
        let used = sheet.putRight(replay.position, endColumn: area.endColumn - 1, row: area.row, .text, columns: area.columns - 3)
        let room = area.columns - used - 8
        guard room >= 24 else {
            // The bar omits its clock times if there is no room for them.
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
