import FoundationEssentials
package import TerminalCanvas

/// What is asked for behind a link.
package enum LinkDoor: Hashable, Sendable {
    /// The page for browsers.
    case page
    /// The screen as characters.
    case picture(LinkPicture)
    /// The object about now.
    case json
    /// The stream of events.
    /// - Parameter after: the last one that the reader has; nil for none.
    case events(after: Int?)
    /// The map as a picture of lines and areas.
    case map(LinkPicture)
    /// A size that is none.
    case badSize
}

/// How large a picture is wanted, and in which way.
package struct LinkPicture: Hashable, Sendable {
    package static let columns = 20...400
    package static let rows = 3...200
    static let standard = Size(columns: 80, rows: 24)
    /// The map of the page on a phone.
    static let standardChart = Size(columns: 52, rows: 24)

    package var size: Size
    /// Without colours.
    package var isPlain = false
    /// A frame a second, each in place of the one before.
    package var isFollowing = false
    /// On a dark ground.
    package var isDark = false

    /// Whether a query asks for the screen as characters.
    static func isAsked(_ query: String) -> Bool {
        query.split(separator: "&").prefix(16).contains { item in
            ["cols", "rows", "plain", "follow"].contains(item.prefix { $0 != "=" })
        }
    }

    /// Nil for a size that is none.
    /// - Parameter query: `cols=120&rows=40&plain&follow&dark`.
    init?(query: String, standard: Size) {
        size = standard
        for item in query.split(separator: "&").prefix(16) {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1] : ""
            switch parts[0] {
            case "cols":
                guard let number = Int(value), Self.columns.contains(number) else { return nil }
                size.columns = number
            case "rows":
                guard let number = Int(value), Self.rows.contains(number) else { return nil }
                size.rows = number
            case "plain": isPlain = true
            case "follow": isFollowing = true
            case "dark": isDark = true
            default: break
            }
        }
    }
}

/// A request for a link, read; which link it is for is not decided here.
package struct LinkRequest: Hashable, Sendable {
    /// The letters in the secret's place: what was given, also where it can be none.
    package let secret: Substring
    package let door: LinkDoor
    package let form: LinkForm
    /// Where the page is, as a relative address, for an address with something behind it. Nil for one that is right.
    package let movedTo: String?

    /// - Parameters:
    ///   - path: as it was sent.
    ///   - prefix: the path below which a proxy has the links, such as `/rides`; it may be there or not.
    ///   - query: as it was sent.
    ///   - accept: what the client wants.
    ///   - userAgent: what the client calls itself.
    ///   - lastEventID: the last event that a reader has had.
    package init(path: String, prefix: String, query: String?, accept: String?, userAgent: String?, lastEventID: String?) {
        form = LinkForm(accept: accept, userAgent: userAgent)
        var rest = path[...]
        if !prefix.isEmpty, rest.hasPrefix(prefix + "/") { rest = rest.dropFirst(prefix.count) }
        let isLink = rest.hasPrefix("/s/")
        rest = rest.dropFirst(3)
        let letters = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        let given = rest.dropFirst(letters.count)
        let tail = Self.withoutPunctuation(given)
        let door = Self.door(tail, query: query ?? "", form, lastEventID: lastEventID)
        // The page's own addresses are relative to it.
        let isMoved = door == .page && !given.isEmpty
        movedTo = isMoved ? String(repeating: "../", count: given.count { $0 == "/" }) + letters : nil
        // No door: as unknown as another secret.
        secret = isLink && door != nil ? letters : ""
        self.door = door ?? .json
    }

    /// Without what people and their programs put behind an address: a slash, and the marks of the sentence around it.
    private static func withoutPunctuation(_ tail: Substring) -> Substring {
        let escaped = ["%20", "%22", "%27", "%29", "%2a", "%3e", "%5d", "%7d"]
        var tail = tail
        while let last = tail.last {
            if "/.,;:!)]}>'\"*".contains(last) {
                tail.removeLast()
            } else if escaped.contains(tail.suffix(3).lowercased()) {
                tail.removeLast(3)
            } else {
                break
            }
        }
        return tail
    }

    /// - Parameter tail: what stands behind the secret.
    private static func door(_ tail: Substring, query: String, _ form: LinkForm, lastEventID: String?) -> LinkDoor? {
        switch tail {
        case "" where form == .html || form == .any && !LinkPicture.isAsked(query): .page
        case "": LinkPicture(query: query, standard: LinkPicture.standard).map(LinkDoor.picture) ?? .badSize
        case ".json": .json
        case "/events": .events(after: lastEventID.flatMap { Int($0) })
        case "/map.svg": LinkPicture(query: query, standard: LinkPicture.standardChart).map(LinkDoor.map) ?? .badSize
        default: nil
        }
    }
}

/// In which form a client takes words.
package enum LinkForm: Hashable, Sendable {
    case html, json, text
    /// Not said, as by programs that make a preview of an address: HTML, unless a picture is asked for.
    case any

    /// Programs that show what comes in a terminal.
    private static let terminals = ["curl/", "wget/", "httpie/"]

    init(accept: String?, userAgent: String?) {
        let accept = accept?.lowercased() ?? ""
        let agent = userAgent?.lowercased() ?? ""
        let isTerminal = Self.terminals.contains { agent.hasPrefix($0) }
        self =
            accept.contains("text/html") ? .html : accept.contains("application/json") ? .json : isTerminal ? .text : .any
    }
}
