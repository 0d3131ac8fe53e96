import DemoTown
import TileSources
import VectorTiles

/// The demo town, made while the screen is already up: it takes longer than all else at the start.
final class PendingDemoTown: Sendable {
    private let making: Task<DemoTown, Never>

    init(seed: UInt64 = DemoTown.defaultSeed) {
        making = Task.detached(priority: .userInitiated) { DemoTown(seed: seed) }
    }

    /// The town, once it is built.
    var town: DemoTown {
        get async { await making.value }
    }

    /// Its map, once the town is built.
    @Sendable func tiles() async -> any TileSource { DemoTownTileSource(town: await town) }
}
