import TerminalCanvas
import VectorTiles

/// A name that may be written on the map, and the positions at which it may be written.
struct LabelCandidate {
    /// The kind of map object to which a name belongs. Each kind gets a limited share of the names on a map.
    enum Kind: Int, CaseIterable {
        case routeStreet
        case place
        case road
        case water
        case station
        case other
    }

    /// Index of the name in ``LabelStock/texts``.
    var name: Int
    var width: Int
    var kind: Kind
    /// Score of the name. Names with higher scores are written first.
    var score: Int
    var style: Style
    /// The possible positions of the name's first cell, the best first.
    var places: [Position]

    /// Whether this name is written before another one. `texts` contains all names; a candidate has an index into it.
    func precedes(_ other: LabelCandidate, _ texts: [LabelStock.Text]) -> Bool {
        if score != other.score { return score > other.score }
        if name != other.name { return texts[name].precedes(texts[other.name]) }
        return (places.first?.row ?? 0) < (other.places.first?.row ?? 0)
    }
}

/// The names written in the last frame and their positions, in cells of the world's grid at one zoom.
struct LabelMemory {
    private var zoom = 0.0
    private var names: [(text: String, column: Int, row: Int)] = []
    /// For each cell of the view, the number of the name that starts in the cell, counted from 1; 0 if no name starts there.
    private var numbers: [UInt8] = []
    private var size = Size.zero

    /// Returns the name that the last frame wrote at this position of the view; nil if it wrote no name there.
    func text(at place: Position) -> String? {
        guard place.column >= 0, place.column < size.columns, place.row >= 0, place.row < size.rows else { return nil }
        let number = Int(numbers[place.row * size.columns + place.column])
        return number > 0 ? names[number - 1].text : nil
    }

    /// Converts the positions of the last frame's names to positions in this view. Forgets the names if the zoom has changed.
    mutating func look(from origin: (column: Double, row: Double), size: Size, zoom: Double) {
        self.size = size
        numbers.removeAll(keepingCapacity: true)
        numbers.append(contentsOf: repeatElement(0, count: size.columns * size.rows))
        guard zoom == self.zoom else { return names.removeAll(keepingCapacity: true) }
        for (index, name) in names.enumerated().prefix(255) {
            let (column, row) = (name.column - Int(origin.column), name.row - Int(origin.row))
            guard column >= 0, column < size.columns, row >= 0, row < size.rows else { continue }
            numbers[row * size.columns + column] = UInt8(index + 1)
        }
    }

    /// Forgets the names of the last frame and begins to record those of the next one.
    mutating func begin(zoom: Double) {
        self.zoom = zoom
        names.removeAll(keepingCapacity: true)
        size = .zero
    }

    mutating func insert(_ text: String, column: Int, row: Int) { names.append((text, column, row)) }
}

extension MapClass {
    /// The score of a name of this class; 0 for classes without names.
    var labelScore: Int {
        switch self {
        case .country: 900
        case .seaName: 850
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
        case .tramStop: 505
        case .tertiary: 500
        case .pointOfInterest: 480
        case .canal: 470
        case .parkName: 450
        case .entrance: 420
        case .street: 400
        case .pedestrian: 380
        default: 0
        }
    }

    /// The kind to which names of this class belong.
    var labelKind: LabelCandidate.Kind {
        if isPlace { return .place }
        if isRoad { return .road }
        switch self {
        case .station, .tramStop, .entrance: return .station
        default: return self == .waterName || self == .seaName || isWaterway ? .water : .other
        }
    }
}
