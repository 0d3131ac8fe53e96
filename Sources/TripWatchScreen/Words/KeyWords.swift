import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Returns a text that names the key of an action, such as `press q to quit`; empty if no key is assigned to the action.
    func naming(_ action: AppAction, _ text: (_ key: String) -> String) -> String {
        let key = keyMap.shortKey(action)
        return key.isEmpty ? "" : text(key)
    }

    /// Returns the key that closes a panel: the key to go back, or else the key to quit; nil without such a key. A key with Ctrl that quits
    /// is left out, because it quits the program even if a panel is open.
    /// - Parameter taken: a key that does something else on this panel; nil without such a key.
    func closingKey(except taken: Key? = nil) -> String? {
        // While the user types into a panel, no other key closes it.
        if case .search = overlay { return "Esc" }
        if helpFilter?.isOpen == true { return "Esc" }
        let back = keyMap.keys(of: .back).filter { $0 != taken }
        let quit = keyMap.keys(of: .quit).filter { $0 != taken && !$0.modifiers.contains(.control) }
        return (back.isEmpty ? quit : back).map(\.title).min { $0.count < $1.count }
    }

    /// Returns the key hints in the corner of a very small screen. They are shortened to `columns`.
    /// - Parameter hasWords: whether there is room for words besides the keys.
    func cornerHints(hasWords: Bool, columns: Int) -> String {
        func joined(_ hints: [String]) -> String { hints.filter { !$0.isEmpty }.joined(separator: "  ") }
        let whole = joined([naming(.help) { "\($0) help" }, naming(.quit) { "\($0) quit" }])
        let help = naming(.help) { $0 }
        let quit = naming(.quit) { $0 }
        return Self.fitting((hasWords ? [whole] : []) + [joined([help, quit]), quit, ""], columns: columns)
    }
}
