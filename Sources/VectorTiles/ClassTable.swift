/// A rule's table applied to one layer. The meaning of each of the layer's values is looked up once and then found by the value's index.
struct ClassTable {
    /// The meaning of one value.
    private enum Verdict {
        static let unknown: UInt8 = 0
        static let nothing: UInt8 = 1
        static let dropped: UInt8 = 2
        /// The verdict for the class with raw value 0; the other classes follow.
        static let firstClass: UInt8 = 3
        /// The bit that is set in addition if the value is marked.
        static let mark: UInt8 = 0x80
    }

    private let table: LayerRule.Table
    // Both arrays have one entry for each value of the layer.
    private var classVerdicts: [UInt8]
    private var detailVerdicts: [UInt8]

    /// - Parameter valueCount: number of values in the layer.
    init(_ table: LayerRule.Table, valueCount: Int) {
        self.table = table
        let isAsked = !table.classes.isEmpty || !table.dropped.isEmpty || !table.marked.isEmpty
        classVerdicts = isAsked ? Array(repeating: Verdict.unknown, count: valueCount) : []
        let isDetailAsked = !table.details.isEmpty || !table.dropped.isEmpty
        detailVerdicts = isDetailAsked ? Array(repeating: Verdict.unknown, count: valueCount) : []
    }

    /// Whether the class or the detail attribute affects the result.
    var asksClass: Bool { !classVerdicts.isEmpty }
    var asksDetail: Bool { !detailVerdicts.isEmpty }

    /// The class of a feature with these values, given as indexes into the layer's values, and the flags of its mark; nil if the feature is
    /// dropped.
    mutating func mapClass(
        _ classValue: Int?, _ detailValue: Int?, in layer: TileLayer, _ reader: inout ProtobufReader
    ) throws(VectorTileError) -> (mapClass: MapClass, flags: FeatureFlags)? {
        var detail = Verdict.nothing
        if let detailValue, !detailVerdicts.isEmpty {
            detail = detailVerdicts[detailValue]
            if detail == Verdict.unknown {
                detail = try verdict(on: layer.value(at: detailValue, reader: &reader).text, isDetail: true)
                detailVerdicts[detailValue] = detail
            }
        }
        var main = Verdict.nothing
        if let classValue, !classVerdicts.isEmpty {
            main = classVerdicts[classValue]
            if main == Verdict.unknown {
                main = try verdict(on: layer.value(at: classValue, reader: &reader).text, isDetail: false)
                classVerdicts[classValue] = main
            }
        }
        let isMarked = main & Verdict.mark != 0
        main &= ~Verdict.mark
        if detail == Verdict.dropped || main == Verdict.dropped { return nil }
        let verdict = detail >= Verdict.firstClass ? detail : main
        let mapClass = verdict >= Verdict.firstClass ? MapClass(rawValue: verdict - Verdict.firstClass) : table.fallback
        return mapClass.map { ($0, isMarked ? table.mark : []) }
    }

    private func verdict(on text: String?, isDetail: Bool) -> UInt8 {
        guard let text else { return Verdict.nothing }
        if table.dropped.contains(text) { return Verdict.dropped }
        let mark = !isDetail && table.marked.contains(text) ? Verdict.mark : 0
        guard let mapClass = isDetail ? table.details[text] : table.classes[text] else { return Verdict.nothing | mark }
        return mapClass.rawValue + Verdict.firstClass | mark
    }
}
