import Geo

/// Names each street by its location, its role in the town and its shape.
struct StreetNamer {
    private var giver: NameGiver
    private let gates: [String]
    private let avenues: [String]
    private let quarters: [TownNames.Quarter]
    private let plan: TownPlan
    private let zones: StreetZones
    /// The index of the next word in each theme.
    private var themePositions: [Int]
    private var namedAvenues: Set<Int> = []
    private var isMarketNamed = false

    init(
        giver: NameGiver, gates: [String], avenues: [String], quarters: [TownNames.Quarter], plan: TownPlan, zones: StreetZones
    ) {
        self.giver = giver
        self.gates = gates
        self.avenues = avenues
        self.quarters = quarters
        self.plan = plan
        self.zones = zones
        themePositions = NameStock.themes.map { _ in 0 }
        for theme in themePositions.indices { themePositions[theme] = self.giver.int(in: 0...NameStock.themes[theme].words.count - 1) }
    }

    /// Returns the name of each street, nil for a street without a name. Long streets get their names first.
    mutating func names(of runs: StreetRuns) -> [String?] {
        var names = [String?](repeating: nil, count: runs.runs.count)
        let order = runs.runs.indices.sorted { (-runs.runs[$0].length, $0) < (-runs.runs[$1].length, $1) }
        for number in order { names[number] = name(of: runs.runs[number]) }
        return names
    }

    private mutating func name(of run: StreetRuns.Run) -> String? {
        guard run.roadClass != .service else { return nil }
        return plannedName(of: run) ?? streetName(of: run) ?? giver.compound(NameStock.trades, NameStock.longEndings, separator: " ")
    }

    private mutating func plannedName(of run: StreetRuns.Run) -> String? {
        switch run.role {
        case .market: marketName()
        case .gateStreet(let gate): gateStreetName(gate)
        case .avenue(let number): avenueName(number)
        case .wall: giver.next(from: NameStock.walls)
        case .boulevard: giver.next(from: NameStock.boulevards)
        case .innerRing: giver.next(from: NameStock.innerRing)
        case .ringRoad: giver.claim("Ring Road") ?? giver.next(from: NameStock.avenues)
        case .stationRoad: giver.claim("Station Road") ?? giver.next(from: NameStock.collectors)
        case .stationFront: giver.claim("Station Parade") ?? giver.next(from: NameStock.collectors)
        case .quay: quayName(run)
        case .collector: giver.next(from: NameStock.collectors)
        case .lane: giver.next(from: NameStock.lanes)
        case .street, .villageStreet, .harbourRoad: nil
        }
    }

    /// Returns the name of a street round the market. The first such street shares the name of the square.
    private mutating func marketName() -> String? {
        defer { isMarketNamed = true }
        return isMarketNamed ? giver.next(from: NameStock.squares) : "Old Market"
    }

    /// Returns the name of an avenue. If the avenue is interrupted, the second piece gets another name.
    private mutating func avenueName(_ number: Int) -> String? {
        guard number < avenues.count, namedAvenues.insert(number).inserted else { return giver.next(from: NameStock.avenues) }
        return avenues[number]
    }

    private mutating func gateStreetName(_ gate: Int) -> String? {
        guard gate < gates.count else { return nil }
        // The last three gates lead to bridges. Only one of their streets is called Bridge Street.
        return gate >= gates.count - 3
            ? giver.claim("Bridge Street")
            : giver.claim(gates[gate] + " Street") ?? giver.next(from: NameStock.oldTownNames)
    }

    private mutating func quayName(_ run: StreetRuns.Run) -> String? {
        if run.middle.distance(to: plan.water.harbour) < Quays.harbourReach, let name = giver.claim("Harbour Road") { return name }
        return giver.next(from: NameStock.quays)
    }

    private mutating func streetName(of run: StreetRuns.Run) -> String? {
        switch zones.zone(at: run.middle) {
        case .oldTown: oldTownName()
        case .industry: giver.compound(NameStock.works, NameStock.worksEndings, separator: " ") ?? themedName(of: run)
        default: themedName(of: run)
        }
    }

    private mutating func oldTownName() -> String? {
        // Every old town has a street with this name.
        if let name = giver.claim("Mill Lane") { return name }
        if giver.int(in: 0...9) < 6, let name = giver.next(from: NameStock.oldTownNames) { return name }
        return giver.compound(NameStock.trades, NameStock.tradeEndings, separator: " ") ?? giver.next(from: NameStock.oldTownNames)
    }

    private mutating func themedName(of run: StreetRuns.Run) -> String? {
        let nearest = quarters.indices.min { quarters[$0].center.distance(to: run.middle) < quarters[$1].center.distance(to: run.middle) }
        let first = nearest.map { quarters[$0].theme } ?? 0
        for offset in NameStock.themes.indices {
            let theme = (first + offset) % NameStock.themes.count
            if let name = name(of: run, theme: theme) { return name }
        }
        return nil
    }

    private mutating func name(of run: StreetRuns.Run, theme: Int) -> String? {
        let words = NameStock.themes[theme].words
        let endings = Self.endings(for: run)
        let start = giver.int(in: 0...endings.count - 1)
        themePositions[theme] = (themePositions[theme] + 7) % words.count
        for offset in endings.indices {
            for step in words.indices {
                let word = words[(themePositions[theme] + step) % words.count]
                if let name = giver.claim(word + " " + endings[(start + offset) % endings.count]) { return name }
            }
        }
        return nil
    }

    private static func endings(for run: StreetRuns.Run) -> [String] {
        if run.isDeadEnd && run.length < 160 { return NameStock.deadEndEndings }
        if run.bend > 0.9 && run.length < 700 { return NameStock.curvedEndings }
        if run.length < 240 { return NameStock.shortEndings }
        return run.length < 700 ? NameStock.middleEndings : NameStock.longEndings
    }
}
