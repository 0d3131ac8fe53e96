import FleetEngine
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Key that ends the shown link.
    static let linkEndKey = Key.character("D")

    /// The link to the page in front; nil if there is no link.
    var frontLink: TripLink? { page?.link ?? shipment?.link }

    /// Shows the link to the page in front, and requests one if there is no link yet.
    mutating func openLink() -> [AppEffect] {
        guard let front else { return [] }
        open(.link)
        switch frontLink {
        case .served(let link): return [.copy(link.address)]
        case .starting: return []
        case .failed, nil:
            set(.starting, of: front)
            return [.startLink(front)]
        }
    }

    /// Handles a key while the panel of a link is open. Returns nil for a key that does the same there as on any other panel.
    mutating func pressOnLink(_ key: Key, _ action: AppAction?) -> [AppEffect]? {
        switch frontLink {
        case .served where key == Self.linkEndKey: return front.map { [.endLink($0)] }
        case .failed where action == .shareLink: return disabledReason(.shareLink) == nil ? openLink() : nil
        default: return nil
        }
    }

    mutating func applyLink(_ link: TripLink?, for name: FollowedName) -> [AppEffect] {
        guard let index = place(of: name) else { return [] }
        set(link, of: name)
        switch link {
        case .served(let link): return [.copy(link.address)]
        case .failed(let reason):
            // The failed link may belong to another page, or its panel may be closed.
            if index != selected || overlay != .link { say("No link: \(reason)") }
        case .starting: break
        case nil:
            if index == selected, overlay == .link { overlay = nil }
            say("The link to \(title(of: name)) no longer works.")
        }
        return []
    }

    /// Shows a text that was copied, or that the user must copy by hand. A link is not repeated if its panel shows it.
    mutating func applyCopied(_ text: String, wasSent: Bool) {
        if wasSent { copied = text }
        guard overlay == .link, case .served(let link) = frontLink, link.address == text else {
            return say(wasSent ? "Copied: \(text)" : text)
        }
        // On a small screen, the panel has no room for the link.
        if wasSent { say("The link was copied.") } else if size.rows < 10 { say(text) }
    }

    private mutating func set(_ link: TripLink?, of name: FollowedName) {
        switch name {
        case .trip(let name): if let index = place(of: name) { pages[index].link = link }
        case .shipment(let name): if let index = shipments.firstIndex(where: { $0.name == name }) { shipments[index].link = link }
        }
    }
}
