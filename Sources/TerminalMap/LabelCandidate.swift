import TerminalCanvas
import VectorTiles

/// A name that may be written, and where.
struct LabelCandidate {
    /// What the name belongs to; each kind has its share of a map.
    enum Kind: Int, CaseIterable {
        case routeStreet
        case place
        case road
        case water
        case other
    }

    var text: String
    var width: Int
    var kind: Kind
    /// The higher the earlier.
    var score: Int
    var style: Style
    /// The columns and rows of the first cell, the best place first.
    var places: [Position]
}

/// Which names were written where, in cells of the world at one zoom.
struct LabelMemory {
    private struct Entry: Hashable {
        var text: String
        var column: Int
        var row: Int
    }

    private var zoom = 0.0
    private var entries: Set<Entry> = []

    /// Whether this name was written at this place of the world in the frame before.
    func contains(_ text: String, column: Int, row: Int, zoom: Double) -> Bool {
        zoom == self.zoom && entries.contains(Entry(text: text, column: column, row: row))
    }

    /// Begins to remember another frame.
    mutating func begin(zoom: Double) {
        self.zoom = zoom
        entries.removeAll(keepingCapacity: true)
    }

    mutating func insert(_ text: String, column: Int, row: Int) {
        entries.insert(Entry(text: text, column: column, row: row))
    }
}

extension MapClass {
    /// How much a name of this class is worth among others; 0 for none.
    var labelScore: Int {
        switch self {
        case .country: 900
        case .city: 880
        case .region: 860
        case .town: 800
        case .village: 700
        case .suburb: 640
        case .island: 620
        case .motorway: 600
        case .trunk: 590
        case .primary: 580
        case .hamlet: 570
        case .quarter: 560
        case .river: 550
        case .secondary: 540
        case .station: 520
        case .waterName: 510
        case .tertiary: 500
        case .pointOfInterest: 480
        case .canal: 470
        case .parkName: 450
        case .street: 400
        case .pedestrian: 380
        default: 0
        }
    }

    /// What kind of name it has.
    var labelKind: LabelCandidate.Kind {
        if isPlace { return .place }
        if isRoad { return .road }
        return self == .waterName || isWaterway ? .water : .other
    }
}
