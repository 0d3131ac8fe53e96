/// Looks up the attribute values of one layer in a rule's table. Each value is looked up once, and its result is kept by index.
struct ClassTable {
    /// The result for one value, as a byte.
    private enum Verdict {
        static let unknown: UInt8 = 0
        static let nothing: UInt8 = 1
        static let dropped: UInt8 = 2
        /// The byte for the class with raw value 0. The bytes for the other classes follow in the order of their raw values.
        static let firstClass: UInt8 = 3
        /// An additional bit, which is set if the rule's table lists the value in `marked`.
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

    /// Whether the class attribute affects the result. `asksDetail` says the same about the detail attribute.
    var asksClass: Bool { !classVerdicts.isEmpty }
    var asksDetail: Bool { !detailVerdicts.isEmpty }

    /// Returns a feature's class and flags; nil if the feature is dropped. `classValue` and `detailValue` are indexes into the
    /// layer's values.
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
