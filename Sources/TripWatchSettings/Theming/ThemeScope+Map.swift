import VectorTiles

extension ThemeScope {
    /// Returns the scope of an area on the base map.
    static func area(_ mapClass: MapClass) -> ThemeScope {
        switch mapClass {
        case .ocean, .water: .mapWater
        case .park: .mapPark
        case .wood: .mapWood
        case .sand: .mapSand
        case .ice: .mapIce
        case .residential, .commercial, .industrial, .civic, .railwayLand, .aerodrome: .mapBuiltUp
        case .building: .mapBuilding
        case .pedestrianArea: .mapPlaza
        default: .mapGrass
        }
    }

    /// Returns the scope of a line on the base map.
    static func line(_ mapClass: MapClass) -> ThemeScope {
        switch mapClass {
        case .stream, .canal, .river: .mapWater
        case .ferry: .mapFerry
        case .regionBoundary, .countryBoundary: .mapBoundary
        case .path, .track, .pier: .mapPath
        case .aeroway: .mapAeroway
        case .transit: .mapTransit
        case .rail: .mapRail
        case .motorway: .mapRoadMotorway
        case .trunk, .primary: .mapRoadPrimary
        case .secondary: .mapRoadSecondary
        case .tertiary: .mapRoadTertiary
        case .service, .pedestrian: .mapRoadService
        default: .mapRoadStreet
        }
    }

    /// Returns the scope of a name on the base map.
    static func label(_ mapClass: MapClass) -> ThemeScope {
        switch mapClass {
        case .country, .region, .city, .town, .village: .mapLabelPlace
        case .suburb, .quarter, .hamlet, .island, .houseNumber: .mapLabelQuarter
        case .waterName, .seaName, .stream, .canal, .river, .ocean, .water: .mapLabelWater
        case .parkName: .mapLabelPark
        case .station, .tramStop, .entrance, .pointOfInterest: .mapLabelStation
        default: .mapLabelRoad
        }
    }
}
