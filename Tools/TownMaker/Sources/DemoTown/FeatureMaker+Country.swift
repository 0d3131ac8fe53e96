import Geo

extension FeatureMaker {
    /// Adds a patchwork of fields and meadows, then woods that cover parts of it, and then brooks. A noise field places the woods.
    mutating func addCountry() {
        var random = draft.plan.frame.random(for: .countryside)
        let noise = LatticeNoise(seed: random.next())
        addFields(noise: noise)
        addWoods(noise: noise)
        addBrooks(noise: noise, random: &random)
    }

    /// Adds up to three brooks that wind round the town from the fields to the river.
    private mutating func addBrooks(noise: LatticeNoise, random: inout SeededRandom) {
        let plan = draft.plan
        var count = 0
        for _ in 0..<40 where count < 3 {
            let goal = plan.water.river.main.line[random.int(in: 8...plan.water.river.main.line.count - 9)]
            let spring = goal + Vector2(angle: random.double(in: 0...2 * Double.pi)) * random.double(in: 1300...2300)
            var point = spring
            var line = [point]
            while plan.water.distance.value(at: point) > 0, line.count < 140 {
                let wander = 1.1 * noise.value(at: point + Vector2(x: 11_000, y: 0), scale: 260)
                point += (goal - point).normalized.rotated(by: wander) * 26
                line.append(point)
            }
            let isFree = line.allSatisfy {
                plan.frame.box.contains($0) && draft.zones.distanceFromRim($0) > 60 && draft.zones.zone(at: $0) == .open
            }
            guard isFree, plan.water.distance.value(at: point) <= 0 else { continue }
            addLine(
                .stream, Line.simplified(line, tolerance: 1.5), name: count < draft.names.brooks.count ? draft.names.brooks[count] : nil)
            count += 1
        }
    }

    private mutating func addWoods(noise: LatticeNoise) {
        let plan = draft.plan
        var grid = ScalarGrid(box: plan.frame.box.padded(by: 160), spacing: 105, filledWith: 1)
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let place = grid.position(column: column, row: row)
                let outside = draft.zones.distanceFromRim(place)
                guard outside > 60 else { continue }
                let growth = noise.value(at: place, scale: 780) + 0.45 * noise.value(at: place + Vector2(x: 5000, y: 0), scale: 240)
                let town = max(0, (420 - outside) / 800)
                let bank = max(0, (120 - plan.water.distance.value(at: place)) / 200)
                grid[column, row] = 0.34 + town + bank - growth
            }
        }
        keepClear(&grid)
        var names = draft.names.woods[...]
        let polygons = Self.polygons(grid.contours(at: 0), smallest: 15_000, smallestHole: 15_000, tolerance: 6)
        for polygon in polygons {
            let isLarge = Line.signedArea(polygon[0]) > 120_000
            addPolygon(.wood, polygon, name: isLarge ? names.popFirst() : nil, rank: isLarge ? 0 : 1)
        }
    }

    /// Removes trees from roads, rails and villages.
    private func keepClear(_ grid: inout ScalarGrid) {
        var clear = ScalarGrid(box: grid.box, spacing: grid.spacing, filledWith: 200)
        for edge in draft.graph.edges where edge.role == .lane || draft.zones.distanceFromRim(edge.points[0]) > 0 {
            for (start, end) in zip(edge.points, edge.points.dropFirst()) {
                clear.lowerToCapsule(from: start, to: end, startHalfWidth: 0, endHalfWidth: 0, reach: 160)
            }
        }
        for (start, end) in zip(draft.plan.railway.line, draft.plan.railway.line.dropFirst()) {
            clear.lowerToCapsule(from: start, to: end, startHalfWidth: 0, endHalfWidth: 0, reach: 160)
        }
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                grid[column, row] = max(grid[column, row], (55 - clear[column, row]) / 200)
            }
        }
    }

    private mutating func addFields(noise: LatticeNoise) {
        let box = draft.plan.frame.box.padded(by: 120)
        let size = 330.0
        let columns = Int((box.maximum.x - box.minimum.x) / size) + 1
        let rows = Int((box.maximum.y - box.minimum.y) / size) + 1
        func corner(_ column: Int, _ row: Int) -> Vector2 {
            let place = box.minimum + Vector2(x: Double(column), y: Double(row)) * size
            let shift = Vector2(
                x: noise.value(at: place + Vector2(x: 70_000, y: 0), scale: 170),
                y: noise.value(at: place + Vector2(x: 0, y: 70_000), scale: 170))
            return place + shift * (size * 0.42)
        }
        for row in 0..<rows {
            for column in 0..<columns {
                let ring = [corner(column, row), corner(column + 1, row), corner(column + 1, row + 1), corner(column, row + 1)]
                let center = (ring[0] + ring[1] + ring[2] + ring[3]) * 0.25
                guard draft.zones.distanceFromRim(center) > -420 else { continue }
                let choice = noise.value(at: center + Vector2(x: 0, y: 33_000), scale: 150)
                let isMeadow = choice > 0.3 || draft.plan.water.distance.value(at: center) < 120
                addPolygon(isMeadow ? .meadow : .farmland, [ring], rank: 1)
            }
        }
    }

    // MARK: Paths

    /// Adds paths round the lake, on the town's river banks where no quay is, and in parks and cemeteries.
    mutating func addPaths() {
        let plan = draft.plan
        for loop in plan.water.distance.contours(at: 10) {
            let runs = Quays.runs(of: Line.smoothed(loop, isClosed: true)) { point in
                if let lake = plan.water.lake, lake.shoreDistance(point) < 60 { return true }
                let isNear = draft.zones.distanceFromRim(point) < 150
                return isNear && point.length > plan.frame.wallRadius + 430
                    && point.distance(to: plan.water.harbour) > Quays.harbourReach + 20
            }
            for run in runs where run.count > 6 { addLine(.path, Line.simplified(run, tolerance: 1.5)) }
        }
        for land in draft.lands where [.cityPark, .park, .cemetery].contains(land.use.purpose) { addParkPaths(land.outline) }
    }

    /// Adds four curved footpaths from the edge of a park to its middle. Adds none if the middle is less than 120 m from water, or lies
    /// outside the outline.
    private mutating func addParkPaths(_ outline: [Vector2]) {
        let ring = Line.resampled(outline + [outline[0]], step: Line.length(outline + [outline[0]]) / 8).dropLast()
        guard ring.count == 8 else { return }
        let corners = Array(ring)
        let center = corners.reduce(.zero, +) * (1 / 8)
        let isLakeside = draft.plan.water.distance.value(at: center) < 120
        guard !isLakeside, Line.contains(outline, center) else { return }
        for start in [0, 2, 4, 6] {
            let middle = corners[start].interpolated(to: center, fraction: 0.5)
            let bend = (center - corners[start]).left * 0.08
            addLine(.path, [corners[start], middle + bend, center])
        }
    }
}
