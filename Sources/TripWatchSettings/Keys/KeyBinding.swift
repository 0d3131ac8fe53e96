package import TerminalCanvas

/// One line of the list of key bindings: the keys, their actions and their description. The list is used to handle keys, and to
/// show them in the footer, the help and the documentation.
package struct KeyBinding: Sendable {
    /// The sections of the help page.
    package enum Group: String, CaseIterable, Sendable {
        case shift = "SHIFT"
        case replay = "REPLAY"
        case list = "LIST"
        case map = "MAP"
        case trip = "TRIP"
        case look = "LOOK"
        case program = "PROGRAM"
    }

    /// The kinds of user that a screen can have. Each kind has its own keys.
    package enum User: CaseIterable, Sendable {
        case rider, driver
        /// A viewer of a recording.
        case viewer
        /// A rider who looks at the list of trips.
        case chooser
    }

    package struct Entry: Sendable {
        package let action: AppAction
        package var keys: [Key]
    }

    package let group: Group
    package fileprivate(set) var entries: [Entry]
    /// The keys as shown in the help and the documentation.
    package fileprivate(set) var keysText: String
    /// Description of the keys in the help.
    package let words: String
    /// The keys as shown in the footer.
    package fileprivate(set) var hintKeys: String
    /// The word after the keys in the footer; empty if the footer does not show these keys.
    package let hint: String
    /// A shorter form of `hint`, for narrow screens.
    package let shortHint: String
    package let users: [User]

    init(
        _ group: Group, _ entries: [(AppAction, [String])], _ keysText: String, _ words: String, hintKeys: String? = nil, hint: String = "",
        shortHint: String? = nil, for users: [User] = [.rider, .driver, .viewer]
    ) {
        self.group = group
        self.entries = entries.map { Entry(action: $0.0, keys: $0.1.compactMap { Key($0) }) }
        self.keysText = keysText
        self.words = words
        self.hintKeys = hintKeys ?? keysText
        self.hint = hint
        self.shortHint = shortHint ?? hint
        self.users = users
    }

    package var actions: [AppAction] { entries.map(\.action) }
}

/// All key bindings of a page.
package struct KeyMap: Sendable {
    package private(set) var bindings: [KeyBinding]
    private var actions: [Key: AppAction] = [:]
    /// Index of each action's binding.
    private var lines: [AppAction: Int] = [:]

    init(_ bindings: [KeyBinding]) {
        self.bindings = bindings
        index()
    }

    /// Returns the action of a key; nil if the key has no action.
    ///
    /// If the exact key has no action, Shift is ignored, and Ctrl is ignored except with characters. Terminals differ in how they report
    /// these two.
    package func action(for key: Key) -> AppAction? {
        if let action = actions[key] { return action }
        var plain = key
        plain.modifiers.remove(.shift)
        if case .character = key.code {} else { plain.modifiers.remove(.control) }
        return actions[plain]
    }

    /// Returns the shortest displayed name among an action's keys; empty if the action has no key.
    package func shortKey(_ action: AppAction) -> String {
        let entries = bindings.flatMap(\.entries).filter { $0.action == action }
        return entries.flatMap(\.keys).map(\.title).min { $0.count < $1.count } ?? ""
    }

    package func binding(of action: AppAction) -> KeyBinding? { lines[action].map { bindings[$0] } }

    /// Returns the keys of an action, in the order in which its binding lists them.
    package func keys(of action: AppAction) -> [Key] {
        bindings.lazy.flatMap(\.entries).first { $0.action == action }?.keys ?? []
    }

    /// Replaces the keys of an action. The new keys are removed from other actions.
    mutating func bind(_ action: AppAction, to keys: [Key]) {
        var changed: [AppAction: [Key]] = [action: keys]
        for entry in bindings.flatMap(\.entries) where entry.action != action && entry.keys.contains(where: keys.contains) {
            changed[entry.action] = entry.keys.filter { !keys.contains($0) }
        }
        give(changed)
    }

    /// Replaces the keys of several actions.
    mutating func give(_ keys: [AppAction: [Key]]) {
        for line in bindings.indices where bindings[line].actions.contains(where: { keys[$0] != nil }) {
            for place in bindings[line].entries.indices {
                if let own = keys[bindings[line].entries[place].action] { bindings[line].entries[place].keys = own }
            }
            let entries = bindings[line].entries
            bindings[line].keysText = entries.flatMap(\.keys).map(\.title).joined(separator: "  ")
            bindings[line].hintKeys = entries.compactMap(\.keys.first?.title).joined(separator: " ")
        }
        index()
    }

    private mutating func index() {
        (actions, lines) = ([:], [:])
        for (line, binding) in bindings.enumerated() {
            for entry in binding.entries {
                if lines[entry.action] == nil { lines[entry.action] = line }
                for key in entry.keys where actions[key] == nil { actions[key] = entry.action }
            }
        }
    }
}
