import Geo
import Testing

@testable import DemoTown

// MARK: - Roads on the land

extension TownChecks {
    /// Checks that no road node is in the water, except at the ends of bridges.
    func roadsOnLand() {
        let waters = town.features.filter { $0.kind == .water }.flatMap { feature -> [[Spot]] in feature.rings.map { $0.map { Spot($0) } } }
        let boxes = waters.map { ring in
            (
                west: ring.map(\.x).min() ?? 0, east: ring.map(\.x).max() ?? 0, south: ring.map(\.y).min() ?? 0,
                north: ring.map(\.y).max() ?? 0
            )
        }
        let nodes = town.roads.nodes.indices.filter { node in town.roads.nodes[node].outgoing.allSatisfy { !town.roads.edges[$0].isBridge }
        }
        let wet = nodes.map { Spot(town.roads.nodes[$0].coordinate) }.filter { spot in
            zip(waters, boxes).reduce(false) { isInside, water in
                let (ring, box) = water
                guard spot.x > box.west, spot.x < box.east, spot.y > box.south, spot.y < box.north else { return isInside }
                return isInside != spot.isInside(ring)
            }
        }
        #expect(wet.isEmpty, "seed \(town.seed): \(wet.count), first at \(String(describing: wet.first))")
    }

    /// Checks that the speed on each road fits its class.
    func speeds() {
        let bounds: [RoadClass: ClosedRange<Double>] = [
            .ringRoad: 60...80, .primary: 40...90, .secondary: 40...90, .tertiary: 25...70, .residential: 15...35, .service: 10...20,
        ]
        let odd = town.roads.edges.filter { !(bounds[$0.roadClass] ?? 0...0).contains($0.speedMetersPerSecond * 3.6) }
        #expect(odd.isEmpty, "seed \(town.seed): \(odd.count)")
    }
}

// MARK: - Features and names

extension TownChecks {
    /// Checks that all geometry is valid, and that nothing is more than 700 m beyond the edge of the map.
    func geometry() {
        let wide = town.bounds.padded(byMeters: 700)
        for feature in town.features {
            #expect(feature.coordinates.allSatisfy { $0.isValid && wide.contains($0) }, "seed \(town.seed): \(feature.kind)")
            switch feature.geometry {
            case .point: break
            case .line(let line):
                #expect(
                    line.count > 1 && zip(line, line.dropFirst()).allSatisfy { $0 != $1 },
                    "seed \(town.seed): \(feature.kind) \(feature.name ?? "")")
            case .polygon(let rings):
                #expect(!rings.isEmpty && rings.allSatisfy { $0.count > 2 && $0.first != $0.last }, "seed \(town.seed)")
            }
        }
    }

    /// Checks that no two streets have the same name.
    func oneRunPerName() {
        let roads = town.roads
        var edgesByName: [String: [RoadGraph.Edge]] = [:]
        for edge in roads.edges { if let name = edge.name { edgesByName[name, default: []].append(edge) } }
        #expect(edgesByName.count > 250)
        for (name, edges) in edgesByName where !isConnected(edges) { Issue.record("seed \(town.seed): \(name) is in two places") }
    }

    /// Checks the spelling of names.
    func spelling() {
        for name in town.features.compactMap(\.name) + [town.name] + town.landmarks.map(\.name) {
            let words = name.split(separator: " ", omittingEmptySubsequences: false)
            #expect(words.allSatisfy { $0.first?.isLetter ?? false }, "\(name)")
            #expect(name.first?.isUppercase ?? false, "\(name)")
            #expect(name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == " " || $0 == "'") }, "\(name)")
            #expect(name.count < 32, "\(name)")
        }
    }

    /// Checks that all roads except service roads have a name.
    func coverage() {
        let edges = town.roads.edges.filter { $0.roadClass != .service }
        let nameless = edges.filter { $0.name == nil }
        #expect(nameless.isEmpty, "seed \(town.seed): \(nameless.count) of \(edges.count)")
    }

    /// Checks that the town has many landmarks with different names, that they are on streets, and that the important kinds are among
    /// them.
    func landmarks() {
        #expect(town.landmarks.count >= 12, "seed \(town.seed)")
        #expect(Set(town.landmarks.map(\.name)).count == town.landmarks.count, "seed \(town.seed)")
        for landmark in town.landmarks {
            #expect(town.roads.nearestRoad(to: landmark.coordinate, withinMeters: 1) != nil, "seed \(town.seed): \(landmark.name)")
        }
        for kind in [DemoTown.Landmark.Kind.station, .market, .harbour, .hospital, .university] {
            #expect(town.landmarks.contains { $0.kind == kind }, "seed \(town.seed): \(kind)")
        }
    }

    /// Checks that the town has a ride of a few minutes between named places. The ride's three routes must take the driving time that the
    /// ride states.
    func ride() {
        guard let ride = town.rides.first else {
            Issue.record("seed \(town.seed): no ride")
            return
        }
        // The driving time excludes the waits at the two stops and the demo's traffic jam. With them, the whole ride takes six to ten
        // minutes.
        #expect((280...480).contains(ride.drivingSeconds), "seed \(town.seed): \(ride.drivingSeconds) s")
        #expect(Set([ride.pickup.name, ride.stop.name, ride.dropoff.name]).count == 3, "seed \(town.seed)")
        let ways = [(ride.start, ride.pickup), (ride.pickup.coordinate, ride.stop), (ride.stop.coordinate, ride.dropoff)]
        let routes = ways.compactMap { from, to in town.roads.route(from: from, to: to.coordinate) }
        #expect(routes.count == 3 && routes.allSatisfy { $0.polyline.lengthMeters > 100 }, "seed \(town.seed)")
        #expect(abs(routes.reduce(0) { $0 + $1.durationSeconds } - ride.drivingSeconds) < 1, "seed \(town.seed)")
    }

    private func isConnected(_ edges: [RoadGraph.Edge]) -> Bool {
        var reached: Set<Int> = [edges[0].from]
        var open = edges
        while true {
            let next = open.filter { reached.contains($0.from) || reached.contains($0.to) }
            if next.isEmpty { return open.isEmpty }
            for edge in next { reached.formUnion([edge.from, edge.to]) }
            open.removeAll { reached.contains($0.from) && reached.contains($0.to) }
        }
    }
}
