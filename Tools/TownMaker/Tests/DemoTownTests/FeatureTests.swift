import Geo
import Testing

@testable import DemoTown

@Suite("What there is to draw")
struct FeatureTests {
    @Test("Another seed gives another town")
    func seeds() {
        #expect(Towns.other.features != Towns.standard.features)
        #expect(Towns.other.name != Towns.standard.name)
        #expect(Towns.other.center == Towns.standard.center)
    }

    #if !DEBUG
        @Test("The same seed gives the same town, also at the same time as others")
        func determinism() async {
            let seeds: [UInt64] = [DemoTown.defaultSeed, 7, DemoTown.defaultSeed, 7]
            await withTaskGroup { group in
                for seed in seeds { group.addTask { (seed, DemoTown(seed: seed)) } }
                for await (seed, town) in group {
                    #expect(town.features == Towns.town(seed).features && town.roads.edges == Towns.town(seed).roads.edges)
                    #expect(town.landmarks == Towns.town(seed).landmarks)
                }
            }
        }
    #endif

    /// Fingerprints of towns that a person has checked. After an intended change of the towns, copy the new values from the failure.
    private static let fingerprints: [UInt64: UInt64] = [
        1: 11_296_223_488_943_802_272, 7: 8_617_898_653_265_485_298, 17: 6_905_780_594_312_170_141, 4242: 7_293_261_215_532_014_531,
    ]

    @Test("The town stays as it is from one version and one machine to the next")
    func fingerprint() {
        for town in Towns.few {
            guard let expected = Self.fingerprints[town.seed] else { continue }
            let fingerprint = Fingerprint.of(town)
            #expect(fingerprint == expected, "seed \(town.seed) has become another town: \(fingerprint)")
        }
    }

    @Test("Every kind of feature occurs", arguments: DemoTown.Kind.allCases)
    func kinds(kind: DemoTown.Kind) {
        #expect(Towns.standard.features.contains { $0.kind == kind })
    }

    @Test("The map reaches as far as it says")
    func bounds() {
        let town = Towns.standard
        #expect(town.bounds.contains(town.center))
        #expect(town.center == DemoTown.marketSquare)
        let corners = [
            Coordinate(latitude: town.bounds.south, longitude: town.bounds.west),
            Coordinate(latitude: town.bounds.north, longitude: town.bounds.east),
        ]
        #expect((12_000...13_500).contains(corners[0].distanceMeters(to: corners[1])))
        let fields = town.features.filter { [.farmland, .meadow].contains($0.kind) }
        #expect(corners.allSatisfy { corner in fields.contains { $0.coordinates.contains { $0.distanceMeters(to: corner) < 500 } } })
    }

    @Test("Roads are the same as features and as a graph")
    func roadsAreFeatures() {
        let town = Towns.standard
        let kinds: [DemoTown.Kind] = [.ringRoad, .primary, .secondary, .tertiary, .residential, .service]
        let drawn = town.features.filter { kinds.contains($0.kind) }.reduce(0) { $0 + Polyline($1.coordinates).lengthMeters }
        let driven = town.roads.edges.filter { $0.isForward || $0.reverse == nil }.reduce(0) { $0 + $1.lengthMeters }
        #expect(abs(drawn - driven) < 1)
        #expect(town.features.contains { kinds.contains($0.kind) && $0.isBridge })
    }
}

/// A hash (FNV-1a) of all data of a town.
enum Fingerprint {
    static func of(_ town: DemoTown) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        func add(_ text: String) { for byte in text.utf8 { add(byte) } }
        func add(_ degrees: Double) {
            let whole = Int64((degrees * 1e7).rounded())
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: whole >> Int64(shift))) }
        }
        add(town.name)
        for feature in town.features {
            add(feature.kind.rawValue)
            add(feature.name ?? "-")
            add(UInt8((feature.isBridge ? 1 : 0) + (feature.isOneWay ? 2 : 0)))
            for coordinate in feature.coordinates {
                add(coordinate.latitude)
                add(coordinate.longitude)
            }
        }
        for edge in town.roads.edges { add("\(edge.from) \(edge.to) \(edge.roadClass.rawValue)") }
        for landmark in town.landmarks { add(landmark.name) }
        return hash
    }
}
