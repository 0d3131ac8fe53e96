import Geo
import Testing

@testable import DemoTown

@Suite("Names")
struct NameTests {
    @Test("An avenue keeps its name over its junctions")
    func avenues() {
        for town in Towns.few {
            let primary = town.roads.edges.filter { $0.roadClass == .primary }
            let names = Set(primary.compactMap(\.name))
            #expect((2...5).contains(names.count))
            for name in names {
                let length = primary.filter { $0.name == name && $0.isForward }.reduce(0) { $0 + $1.lengthMeters }
                #expect(length > 1500, "\(name)")
            }
        }
    }

    @Test("Places are found by name, whatever the case")
    func places() throws {
        let town = Towns.standard
        let station = try #require(town.landmarks.first { $0.kind == .station })
        #expect(town.place(named: station.name.uppercased()) == station.coordinate)
        #expect(town.place(named: town.name) == town.center)
        #expect(town.place(named: "Nowhere at all") == nil)
        #expect(town.place(named: "") == nil)
        let street = try #require(town.roads.edges.first { $0.roadClass == .residential }?.name)
        let place = try #require(town.place(named: street))
        #expect(town.roads.nearestRoad(to: place, withinMeters: 40)?.name == street)
    }
}
