import Geo

/// All names of a town: the names of the town itself, its quarters, villages, gates, waters, parks and streets.
struct TownNames: Sendable {
    /// A part of the town with its own name.
    struct Quarter: Sendable {
        var name: String
        var center: Vector2
        /// The index of the theme for the names of its streets.
        var theme: Int
    }

    let town: String
    let river: String
    let lake: String
    let island: String
    let gates: [String]
    let avenues: [String]
    let villages: [String]
    let quarters: [Quarter]
    /// One name for each element of `uses` in `init`, in the same order; nil for land without a name.
    let lands: [String?]
    let woods: [String]
    let brooks: [String]
    /// One name for each run of `StreetRuns`.
    let streets: [String?]

    init(plan: TownPlan, zones: StreetZones, uses: [LandUse], runs: StreetRuns) {
        var giver = NameGiver(random: plan.frame.random(for: .names))
        town = giver.compound(NameStock.townBeginnings, NameStock.townEndings) ?? "Newtown"
        river = "River " + (giver.next(from: NameStock.rivers) ?? "Wend")
        lake = giver.next(from: NameStock.lakes) ?? "Town Lake"
        island = giver.next(from: NameStock.islands) ?? "The Holm"
        gates = Self.gateNames(angles: plan.avenues.gateAngles, &giver)
        villages = zones.villages.map { _ in giver.compound(NameStock.villageBeginnings, NameStock.villageEndings) ?? "Newstead" }
        avenues = Self.avenueNames(plan: plan, zones: zones, villages: villages, &giver)
        quarters = Self.quarters(plan: plan, &giver)
        lands = uses.map { Self.landName($0, &giver) }
        brooks = (0..<3).compactMap { _ in giver.next(from: NameStock.brooks) }
        woods = NameStock.woods.indices.compactMap { _ in giver.next(from: NameStock.woods) }
        var namer = StreetNamer(giver: giver, gates: gates, avenues: avenues, quarters: quarters, plan: plan, zones: zones)
        streets = namer.names(of: runs)
    }

    /// Returns the names of the gates. The gates nearest to north, east, south and west are named after these directions, unless they are
    /// more than about 41° away.
    private static func gateNames(angles: [Double], _ giver: inout NameGiver) -> [String] {
        var names = [String?](repeating: nil, count: angles.count)
        let winds = [("Northgate", 0.5), ("Westgate", 1.0), ("Southgate", 1.5), ("Eastgate", 0.0)]
        for (name, turns) in winds {
            let free = angles.indices.filter { names[$0] == nil }
            let offset = { (gate: Int) in abs(SteadyMath.wrapped(angles[gate] - turns * Double.pi)) }
            guard let gate = free.min(by: { offset($0) < offset($1) }), offset(gate) < 0.72 else { continue }
            names[gate] = giver.claim(name)
        }
        return names.map { $0 ?? giver.next(from: NameStock.gates) ?? "Newgate" }
    }

    private static func avenueNames(plan: TownPlan, zones: StreetZones, villages: [String], _ giver: inout NameGiver) -> [String] {
        plan.avenues.lines.map { line in
            let passed = zones.villages.indices.first { village in
                line.contains { $0.distance(to: zones.villages[village].center) < 60 }
            }
            if let passed, let name = giver.claim(villages[passed] + " Road") { return name }
            return giver.next(from: NameStock.avenues) ?? "High Road"
        }
    }

    private static func quarters(plan: TownPlan, _ giver: inout NameGiver) -> [Quarter] {
        var quarters: [Quarter] = []
        let turn = plan.frame.townSide.angle
        var themes = Array(NameStock.themes.indices)
        for place in themes.indices.dropLast() { themes.swapAt(place, giver.int(in: place...themes.count - 1)) }
        let rings: [(count: Int, share: Double, shift: Double)] = [(6, 0.66, 0.3), (9, 1.17, 0.0)]
        for ring in rings {
            for step in 0..<ring.count {
                let angle = turn + (Double(step) + ring.shift) * 2 * Double.pi / Double(ring.count)
                let center = Vector2(angle: angle) * (plan.frame.ringRadius * ring.share * plan.frame.stretch(towards: angle))
                guard plan.water.distance.value(at: center) > 40 else { continue }
                let name = giver.compound(NameStock.quarterBeginnings, NameStock.quarterEndings) ?? "New Town"
                quarters.append(Quarter(name: name, center: center, theme: themes[quarters.count % themes.count]))
            }
        }
        return quarters
    }

    private static func landName(_ use: LandUse, _ giver: inout NameGiver) -> String? {
        switch use.purpose {
        case .cityPark: giver.next(from: NameStock.cityParks)
        case .park: giver.next(from: NameStock.parks)
        case .wallGarden: giver.next(from: NameStock.wallGardens)
        case .sports: giver.next(from: NameStock.sports)
        case .square: giver.claim("Old Market") ?? giver.next(from: NameStock.squares)
        case .cemetery: giver.claim("Hillside Cemetery")
        case .hospital: giver.claim("General Hospital")
        case .university: giver.claim("University")
        case .stadium: giver.claim("Town Stadium")
        case .minster: giver.claim("Minster Close")
        }
    }
}
