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
    /// Runs `body`. If the test's time limit cancels it, opens the gate, so that a wait without a limit ends.
    @MainActor
    private func waiting(on gate: AsyncStream<Void>.Continuation, _ body: @MainActor () async -> Void) async {
        await withTaskCancellationHandler(operation: body, onCancel: { gate.finish() })
    }

    @Test("the wait ends after its time, and the task continues: its value can still be read later")
    @MainActor
    func value() async {
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in opening {}
            return Task.isCancelled ? 0 : 5
        }
        await waiting(on: open) { #expect(await task.value(within: 0.01) == nil) }
        open.finish()
        #expect(await task.value(within: 60) == 5)
    }

    @Test("a picture for a link waits only for its limit if a map server does not answer")
    @MainActor
    func picture() async {
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let gate = Task { for await _ in opening {} }
        let map = ShareMap(BaseMapSupply(tiles: SilentTiles(gate: gate), host: "maps.example"), patienceSeconds: 0.01)
        var state = AppState(trips: [], size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0))
        await waiting(on: open) { await map.furnish(&state) }
        #expect(state.baseMap != nil && !Task.isCancelled)
        open.finish()
    }
}
