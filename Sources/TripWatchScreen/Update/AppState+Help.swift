import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Handles the key that starts a search of the help, and the keys typed in that search. After the search, Esc shows the whole help
    /// again.
    /// - Returns: whether the key was handled.
    mutating func filterHelp(_ key: Key, _ action: AppAction?) -> Bool {
        guard var filter = helpFilter, filter.isOpen else {
            if key.code == .escape, helpFilter != nil {
                (helpFilter, scroll) = (nil, 0)
                return true
            }
            guard key == .character("/") || action == .search else { return false }
            (helpFilter, scroll) = (HelpFilter(), 0)
            return true
        }
        switch key.code {
        case .escape: helpFilter = nil
        case .enter:
            filter.isOpen = false
            helpFilter = filter.words.isEmpty ? nil : filter
        case .backspace:
            if filter.words.isEmpty {
                helpFilter = nil
            } else {
                filter.words.removeLast()
                helpFilter = filter
            }
        case .character(let character) where key.modifiers.isEmpty && filter.words.count < HelpFilter.maximumLength:
            filter.words.append(character)
            helpFilter = filter
        case .character: break
        default: return false
        }
        scroll = 0
        return true
    }
}
