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

    /// Whether this name is written before another one.
    func precedes(_ other: LabelCandidate) -> Bool {
        if score != other.score { return score > other.score }
        return (text, places.first?.row ?? 0) < (other.text, other.places.first?.row ?? 0)
    }
}

/// Which names were written where, in cells of the world at one zoom.
struct LabelMemory {
    private var zoom = 0.0
    /// The names by the column and row of their first cells.
    private var names: [Position: String] = [:]

    /// Whether this name was written at this place of the world in the frame before.
    func contains(_ text: String, column: Int, row: Int, zoom: Double) -> Bool {
        zoom == self.zoom && names[Position(column: column, row: row)] == text
    }

    /// Begins to remember another frame.
    mutating func begin(zoom: Double) {
        self.zoom = zoom
        names.removeAll(keepingCapacity: true)
    }

    mutating func insert(_ text: String, column: Int, row: Int) {
        names[Position(column: column, row: row)] = text
    }
}

/// Names as they are written, with their widths: made safe once, not in every frame.
struct ShownNames {
    private struct Key: Hashable {
        var name: String
        var isASCII: Bool
    }

    private var known: [Key: (text: String, width: Int)] = [:]
    /// More than this are forgotten and made again.
    private static let capacity = 4096

    /// Empty for a name that ASCII has hardly a letter of: question marks name nothing.
    private static func text(_ name: String, isASCII: Bool) -> String {
        let text = MapPass.shown(name, isASCII: isASCII)
        guard isASCII else { return text }
        let lost = text.utf8.count { $0 == UInt8(ascii: "?") }
        return lost * 2 > text.utf8.count ? "" : text
    }

    /// A name without anything harmful, in ASCII if need be, and the cells it takes.
    mutating func shown(_ name: String, isASCII: Bool) -> (text: String, width: Int) {
        let key = Key(name: name, isASCII: isASCII)
        if let shown = known[key] { return shown }
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        let text = Self.text(name, isASCII: isASCII)
        let shown = (text: text, width: displayWidth(text))
        known[key] = shown
        return shown
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
