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
