/// The public declarations in a source file, read line by line. The file must be formatted: members are indented by four
/// columns more than their type.
struct PublicDeclarations {
    struct Declaration {
        /// The line number, starting at 1.
        let line: Int
        let text: String
        let isDescribed: Bool
    }

    /// A public type whose members are public without the keyword: an enum with its cases, or a protocol with its requirements.
    private struct Scope {
        let column: Int
        let kinds: Set<String>
    }

    private static let modifiers: Set<String> = [
        "public", "open", "nonisolated", "static", "final", "mutating", "nonmutating", "override", "indirect", "convenience", "required",
        "weak", "lazy", "private(set)", "internal(set)", "package(set)",
    ]
    private static let requirements: Set<String> = ["var", "func", "init", "subscript", "static", "associatedtype"]
    private static let kinds = requirements.union(["let", "case", "struct", "enum", "class", "actor", "protocol", "typealias"])
    /// Members that need no description, because their protocol fixes their meaning.
    private static let wellKnown = [
        "static func ==", "static func <", "func hash(into", "func encode(to", "init(from decoder", "var description:",
        "var debugDescription:",
    ]

    private(set) var found: [Declaration] = []
    private var scopes: [Scope] = []
    private var isDescribed = false
    private var isInText = false

    init(in text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            read(line, number: index + 1)
        }
    }

    private mutating func read(_ line: Substring, number: Int) {
        let wasInText = isInText
        if line.ranges(of: "\"\"\"").count % 2 == 1 { isInText.toggle() }
        let column = line.prefix { $0 == " " }.count
        let code = line.dropFirst(column)
        guard !wasInText, !code.isEmpty else { return }
        if code.hasPrefix("///") {
            isDescribed = true
            return
        }
        let words = code.split(separator: " ").map(String.init).drop { $0.hasPrefix("@") }
        // An attribute or `#if` may stand on its own line between a description and its declaration.
        guard !words.isEmpty, !code.hasPrefix("#if") else { return }
        while let scope = scopes.last, column <= scope.column { scopes.removeLast() }
        if isPublic(words, column: column) { found.append(Declaration(line: number, text: String(code), isDescribed: isDescribed)) }
        isDescribed = false
    }

    private mutating func isPublic(_ words: ArraySlice<String>, column: Int) -> Bool {
        let modifiers = words.prefix { Self.modifiers.contains($0) }
        let kind = words.dropFirst(modifiers.count).first.map { String($0.prefix { $0.isLetter }) } ?? ""
        let isMember = scopes.last.map { $0.column + 4 == column && $0.kinds.contains(kind) } ?? false
        guard Self.kinds.contains(kind), isMember || modifiers.contains("public") || modifiers.contains("open") else { return false }
        if kind == "enum" { scopes.append(Scope(column: column, kinds: ["case"])) }
        if kind == "protocol" { scopes.append(Scope(column: column, kinds: Self.requirements)) }
        let code = words.joined(separator: " ")
        // An empty function is a requirement's default implementation. Only the requirement has a description.
        return !(kind == "func" && code.hasSuffix(") {}")) && !Self.wellKnown.contains { code.contains($0) }
    }
}
