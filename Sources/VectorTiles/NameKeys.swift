/// The attributes from which a feature's name is taken.
///
/// The order is: the reader's languages (`name:de`, `name_de`), Latin script (`name:latin`), English, the local name. Protomaps' `pgf:name`
/// keys are ignored: their values are glyph codes of a font, not names.
struct NameKeys: Sendable, Equatable {
    private let priorities: [String: UInt8]
    /// The priority of the local name, which is the lowest of all.
    let localPriority: UInt8

    init(languages: [String]) {
        var keys: [[String]] = languages.prefix(8).flatMap(Self.keys)
        keys += [["name:latin", "name_latin"], ["name:en", "name_en"], ["name"]]
        var priorities: [String: UInt8] = [:]
        for (priority, alternatives) in keys.enumerated() {
            for key in alternatives where priorities[key] == nil { priorities[key] = UInt8(clamping: priority) }
        }
        self.priorities = priorities
        localPriority = priorities["name"] ?? .max
    }

    /// Returns the keys for a language tag, the most specific first. For a tag with a script or country ("zh-Hant", "de_AT.UTF-8"), the
    /// keys of the bare language come second.
    private static func keys(of language: String) -> [[String]] {
        let tag = language.prefix { $0 != "." && $0 != "@" }.split { $0 == "-" || $0 == "_" }
        guard let base = tag.first, base.utf8.count <= 16 else { return [] }
        let whole = tag.prefix(3).joined(separator: "-")
        return (tag.count > 1 ? [whole, base.lowercased()] : [base.lowercased()]).map { ["name:\($0)", "name_\($0)"] }
    }

    /// Returns the priority of an attribute as a name, with 0 as the highest; nil if the attribute is not a name.
    func priority(of key: String) -> UInt8? { priorities[key] }
}
