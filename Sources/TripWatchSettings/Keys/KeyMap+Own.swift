package import TerminalCanvas

/// The user's own keys for an action. They replace the standard keys of the action.
package struct OwnKeys: Hashable, Sendable {
    package let action: AppAction
    /// The keys; empty if the action should have no key.
    package let keys: [Key]

    package init(_ action: AppAction, _ keys: [Key]) { (self.action, self.keys) = (action, keys) }
}

extension KeyMap {
    /// The pages that have their own keys, and the name that messages use for each page.
    package static let pages = [
        ("follow", KeyMap.standard), ("follow (after a ride)", .standard.withRide), ("the list of trips", .choosing),
        ("drive", .driving),
        ("replay", .replaying), ("map", .mapping),
    ]
    /// Keys that an action keeps even if the user sets other keys for it.
    private static let fixed: [AppAction: Key] = [.quit: .control("c"), .suspend: .control("z")]

    /// A user's key binding that is ignored, because the key has another action on this page.
    package struct Conflict: Hashable, Sendable {
        package let action: AppAction
        package let key: Key
        package let other: AppAction
    }

    /// Returns this map with the user's own keys.
    ///
    /// - Returns: the map, and the ignored bindings. A binding is ignored if an earlier binding uses its key, or if the key is
    ///   still the standard key of another action. The actions of ignored bindings keep their own standard keys.
    package func with(_ own: [OwnKeys]) -> (map: KeyMap, conflicts: [Conflict]) {
        var wanted = own.filter { binding(of: $0.action) != nil }
        var conflicts: [Conflict] = []
        while true {
            var map = self
            map.give(Dictionary(wanted.map { ($0.action, $0.keys + Self.extra($0)) }) { $1 })
            guard let conflict = map.firstConflict(among: wanted.map(\.action)) else { return (map, conflicts) }
            conflicts.append(conflict)
            wanted.removeAll { $0.action == conflict.action }
        }
    }

    private static func extra(_ own: OwnKeys) -> [Key] {
        fixed[own.action].flatMap { own.keys.contains($0) ? nil : [$0] } ?? []
    }

    private func firstConflict(among actions: [AppAction]) -> Conflict? {
        var owners: [Key: AppAction] = [:]
        for entry in bindings.flatMap(\.entries) {
            for key in Set(entry.keys) {
                guard let other = owners.updateValue(entry.action, forKey: key), other != entry.action else { continue }
                let pair = [other, entry.action]
                guard let last = actions.last(where: pair.contains) else { continue }
                return Conflict(action: last, key: key, other: last == other ? entry.action : other)
            }
        }
        return nil
    }

    /// Returns a line for each action, with its name in the configuration, its keys and its description. The actions of the rider's page
    /// come first, then those of the list, of the driver, and of the viewer of a recording. A rider's few actions after a recorded ride, or
    /// for a map without a trip, come last.
    package static func list(_ own: [OwnKeys] = []) -> [String] {
        var rows: [(name: String, keys: String, words: String)] = []
        // The pages are in this order: the rider's page, the list, the driver's page, the viewer's page, then the pages that
        // add only a few actions.
        for page in [standard, choosing, driving, replaying, standard.withRide, mapping] {
            for binding in page.with(own).map.bindings {
                for entry in binding.entries where !rows.contains(where: { $0.name == entry.action.rawValue }) {
                    let keys = entry.keys.map(\.title).joined(separator: " ")
                    rows.append((entry.action.rawValue, keys, binding.words(of: entry.action)))
                }
            }
        }
        let (nameColumns, keyColumns) = (rows.map(\.name.count).max() ?? 0, rows.map { displayWidth($0.keys) }.max() ?? 0)
        return rows.map { row in
            let name = row.name + String(repeating: " ", count: nameColumns - row.name.count)
            return "\(name)  \(row.keys)\(String(repeating: " ", count: keyColumns - displayWidth(row.keys)))  \(row.words)"
        }
    }
}

extension KeyBinding {
    /// The description of the binding; if only some of its actions have keys, the description of these actions.
    package var shownWords: String {
        let reached = entries.filter { !$0.keys.isEmpty }
        if reached.count == entries.count || reached.isEmpty { return words }
        return reached.map { words(of: $0.action) }.joined(separator: ", ")
    }

    /// Returns the description with brackets around the actions that are off. Commas divide the description into parts. Each part describes
    /// one action, in order; the last part describes all remaining actions.
    package func bracketedWords(_ isOff: ([AppAction]) -> Bool) -> String {
        let reached = entries.filter { !$0.keys.isEmpty }
        let actions = (reached.isEmpty ? entries : reached).map(\.action)
        let parts = shownWords.split(separator: ", ")
        if isOff(actions) { return "(\(shownWords))" }
        guard actions.count > 1, parts.count <= actions.count else { return shownWords }
        let words = parts.enumerated().map { index, part in
            let rest = actions.dropFirst(index)
            let own = index == parts.count - 1 ? rest : rest.prefix(1)
            return isOff(Array(own)) ? "(\(part))" : String(part)
        }
        // Adjacent parts that are off share one pair of brackets.
        return words.joined(separator: ", ").replacing("), (", with: ", ").replacing(", (", with: " (")
    }

    /// Returns the description of an action: the binding's description, or the action's name if the binding has several actions.
    fileprivate func words(of action: AppAction) -> String {
        entries.count == 1 ? words : action.rawValue.replacing("-", with: " ")
    }
}
