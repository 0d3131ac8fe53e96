import Foundation
import TerminalCanvas
import Testing
import TileSources
import TripWatchScreen
import VectorTiles

@testable import TripWatchLinks
@testable import TripWatchRuntime

/// A map server that answers only when the test allows it.
private struct SilentTiles: TileSource {
    let gate: Task<Void, Never>
    let attribution = ""
    let zoomRange = 0...14

    func tile(_ id: TileID) async throws -> VectorTile? {
        await gate.value
        return nil
    }
}

@Suite("Waiting for at most some time", .timeLimit(.minutes(1)))
struct TimeLimitTests {
    @Test("a task that does not react to cancellation does not extend the wait, and its value can still be read later")
    func value() async {
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in opening {}
            return 5
        }
        #expect(await TripWatchRuntime.value(of: task, within: 0.01) == nil)
        open.finish()
        #expect(await TripWatchRuntime.value(of: task, within: 60) == 5)
    }

    @Test("a picture for a link does not wait for a map server that does not answer")
    @MainActor
    func picture() async {
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let gate = Task { for await _ in opening {} }
        let map = ShareMap(BaseMapSupply(tiles: SilentTiles(gate: gate), host: "maps.example"), patienceSeconds: 0.01)
        var state = AppState(trips: [], size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0))
        await map.furnish(&state)
        #expect(state.baseMap != nil)
        open.finish()
    }
}
