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
    /// Opens the gate after 20 s, so that a test whose wait has no limit fails instead of hanging.
    private static func rescue(_ gate: AsyncStream<Void>.Continuation) -> Task<Void, Never> {
        Task {
            try? await Task.sleep(for: .seconds(20))
            gate.finish()
        }
    }

    @Test("the wait ends after its time, and the task continues: its value can still be read later")
    func value() async {
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let rescue = Self.rescue(open)
        defer { rescue.cancel() }
        let task = Task {
            for await _ in opening {}
            return Task.isCancelled ? 0 : 5
        }
        #expect(await TripWatchRuntime.value(of: task, within: 0.01) == nil)
        open.finish()
        #expect(await TripWatchRuntime.value(of: task, within: 60) == 5)
    }

    @Test("a picture for a link waits only for its limit if a map server does not answer")
    @MainActor
    func picture() async {
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let rescue = Self.rescue(open)
        defer { rescue.cancel() }
        let gate = Task { for await _ in opening {} }
        let map = ShareMap(BaseMapSupply(tiles: SilentTiles(gate: gate), host: "maps.example"), patienceSeconds: 0.01)
        var state = AppState(trips: [], size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0))
        let start = ContinuousClock.now
        await map.furnish(&state)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(state.baseMap != nil)
        open.finish()
    }
}
