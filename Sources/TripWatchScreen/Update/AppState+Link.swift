import FleetEngine
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Key that ends the shown link.
    static let linkEndKey = Key.character("D")

    /// Shows the link to the trip in front, and requests one if there is no link yet.
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

    /// Returns nil for a key with the same meaning as on other panels.
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
            // The failed link may belong to another page, or its panel may be closed.
            if index != selected || overlay != .link { say("No link: \(reason)") }
        case .starting: break
        case nil:
            if index == selected, overlay == .link { overlay = nil }
            say("The link to \(pages[index].names.title) has ended.")
        }
        return []
    }
}
