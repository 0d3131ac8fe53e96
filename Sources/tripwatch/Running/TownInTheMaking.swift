import DemoTown
import Geo
import Synchronization
import TileSources
import VectorTiles

/// The demo town, made while the screen is already up: it takes longer than all else at the start.
final class TownInTheMaking: Sendable {
    private let making: Task<DemoTown, Never>
    private let made: Mutex<DemoTown?>

    init(seed: UInt64 = DemoTown.defaultSeed) {
        making = Task.detached(priority: .userInitiated) { DemoTown(seed: seed) }
        made = Mutex(nil)
    }

    /// The town, as soon as it is there.
    var town: DemoTown {
        get async {
            let town = await making.value
            made.withLock { $0 = town }
            return town
        }
    }

    /// Its map, as soon as it is there.
    @Sendable func tiles() async -> any TileSource { DemoTownTileSource(town: await town) }

    /// The nearest street with a name; nil while there is no town yet.
    @Sendable func streetName(near place: Coordinate) -> String? {
        made.withLock { $0 }?.roads.streetName(near: place, withinMeters: 60)
    }
}
