import FleetEngine
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Ends the link that is shown.
    static let linkEndKey = Key.character("D")

    /// Shows the link to the trip in front, and asks for one where there is none.
    mutating func openLink() -> [AppEffect] {
        guard let page else { return [] }
        open(.link)
        switch page.link {
        case .served(let link): return [.copy(link.address)]
        case .starting: return []
        case .failed, nil:
            pages[selected].link = .starting
            return [.startLink(page.name)]
        }
    }

    /// Nil for a key that does here what it does over any other panel.
    mutating func pressOnLink(_ key: Key, _ action: AppAction?) -> [AppEffect]? {
        switch page?.link {
        case .served where key == Self.linkEndKey: return page.map { [.endLink($0.name)] }
        case .failed where action == .shareLink: return disabledReason(.shareLink) == nil ? openLink() : nil
        default: return nil
        }
    }

    mutating func applyLink(_ link: TripLink?, for name: TripName) -> [AppEffect] {
        guard let index = place(of: name) else { return [] }
        pages[index].link = link
        switch link {
        case .served(let link): return [.copy(link.address)]
        case .failed(let reason):
            // Another page may be in front, or the panel closed.
            if index != selected || overlay != .link { say("No link: \(reason)") }
        case .starting: break
        case nil:
            if index == selected, overlay == .link { overlay = nil }
            say("The link to \(pages[index].names.title) has ended.")
        }
        return []
    }
}
