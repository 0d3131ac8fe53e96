package import TerminalCanvas

/// The user's own keys for an action, which replace its standard ones.
package struct OwnKeys: Hashable, Sendable {
    package let action: AppAction
    /// The keys; empty to leave the action without keys.
    package let keys: [Key]

    package init(_ action: AppAction, _ keys: [Key]) { (self.action, self.keys) = (action, keys) }
}

extension KeyMap {
    /// Pages that have their own keys, with the name of each page in messages.
    package static let pages = [
        ("follow", KeyMap.standard), ("follow, after a ride", .standard.withRide), ("the list of trips", .choosing),
        ("drive", .driving),
        ("replay", .replaying), ("map", .mapping),
    ]
    /// Keys that an action keeps even if the user sets others.
    private static let fixed: [AppAction: Key] = [.quit: .control("c"), .suspend: .control("z")]

    /// A setting that is ignored, because its key has another action on this page.
    package struct Conflict: Hashable, Sendable {
        package let action: AppAction
        package let key: Key
        package let other: AppAction
    }

    /// This map with the user's own keys.
    ///
    /// - Returns: the map, and the ignored settings. If settings conflict over a key with each other or with another action, the last of
    ///   these settings is ignored, and its action keeps its standard keys.
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

    /// All actions with their configuration name, keys and description; a driver's actions after a rider's.
    package static func list(_ own: [OwnKeys] = []) -> [String] {
        var rows: [(name: String, keys: String, words: String)] = []
        // Order: the rider's page, the list, the driver's and the viewer's pages, then the pages with a few further actions.
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
    /// Description of the actions that have keys.
    package var shownWords: String {
        let reached = entries.filter { !$0.keys.isEmpty }
        if reached.count == entries.count || reached.isEmpty { return words }
        return reached.map { words(of: $0.action) }.joined(separator: ", ")
    }

    /// Description of one action: the line's if the line has no other action, or else the action's name.
    fileprivate func words(of action: AppAction) -> String {
        entries.count == 1 ? words : action.rawValue.replacing("-", with: " ")
    }
}
