import Geo

extension FeatureMaker {
    mutating func addPlaces(landmarks: [DemoTown.Landmark]) {
        let plan = draft.plan
        addPoint(.place, .zero, name: draft.names.town, rank: 0)
        for (village, name) in zip(draft.zones.villages, draft.names.villages) { addPoint(.place, village.center, name: name, rank: 1) }
        for quarter in draft.names.quarters { addPoint(.place, quarter.center, name: quarter.name, rank: 2) }
        addPoint(.place, plan.frame.townSide * 210, name: "Old Town", rank: 2)
        addPoint(.place, plan.water.harbour, name: "Docks", rank: 2)
        if let arm = plan.water.river.sideArm {
            let middle = arm.line.count / 2
            let main = plan.water.river.main.line
            let opposite = main.min { $0.distance(to: arm.line[middle]) < $1.distance(to: arm.line[middle]) } ?? arm.line[middle]
            addPoint(.place, arm.line[middle].interpolated(to: opposite, fraction: 0.45), name: draft.names.island, rank: 3)
        }
        for landmark in landmarks { add(.landmark, .point(landmark.coordinate), name: landmark.name) }
    }
}
