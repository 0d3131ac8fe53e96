import FoundationEssentials
package import TerminalCanvas

/// The resource of a link that a request asks for.
package enum LinkDoor: Hashable, Sendable {
    /// The HTML page.
    case page
    /// The screen as text.
    case picture(LinkPicture)
    /// The current state of the trip or shipment as a JSON object.
    case json
    /// The event stream.
    /// - Parameter after: number of the last event that the reader has; nil if it has no events.
    case events(after: Int?)
    /// The map as an SVG image.
    case map(LinkPicture)
    /// The requested picture size is invalid.
    case badSize
}

/// Size and style of a requested picture.
package struct LinkPicture: Hashable, Sendable {
    package static let columns = 20...400
    package static let rows = 3...200
    static let standard = Size(columns: 80, rows: 24)
    /// Default size of the map on the page for phones.
    static let standardChart = Size(columns: 52, rows: 24)

    package var size: Size
    /// Whether to draw without colours.
    package var isPlain = false
    /// Whether to stream one picture a second, each drawn over the previous one.
    package var isFollowing = false
    /// Whether to draw on a dark background.
    package var isDark = false

    /// Whether a query asks for the screen as text.
    static func isAsked(_ query: String) -> Bool {
        query.split(separator: "&").prefix(16).contains { item in
            ["cols", "rows", "plain", "follow"].contains(item.prefix { $0 != "=" })
        }
    }

    /// Reads the size and the style in a query. Returns nil for an invalid size.
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

/// A parsed request for a link. The link itself is looked up later, by ``secret``.
package struct LinkRequest: Hashable, Sendable {
    /// The secret in the path, valid or not; empty if the path does not have the form of a link's path.
    package let secret: Substring
    package let door: LinkDoor
    package let form: LinkForm
    /// The page's relative address, for a request with extra characters after the secret; nil for other requests.
    package let movedTo: String?

    /// Parses a request.
    /// - Parameters:
    ///   - path: the path of the request, not decoded.
    ///   - prefix: the path below which a proxy serves the links, such as `/rides`. A request may leave it out.
    ///   - query: the query of the request, not decoded.
    ///   - accept: value of the `Accept` header.
    ///   - userAgent: value of the `User-Agent` header.
    ///   - lastEventID: number of the last event that the reader received.
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
        // The addresses of the page's map and events are relative, so the page's own address must have no extra characters.
        let isMoved = door == .page && !given.isEmpty
        movedTo = isMoved ? String(repeating: "../", count: given.count { $0 == "/" }) + letters : nil
        // A request for an unknown resource gets the same answer as a request with an unknown secret.
        secret = isLink && door != nil ? letters : ""
        self.door = door ?? .json
    }

    /// Removes characters that people and programs add to the end of an address: a slash, and punctuation from the sentence around it.
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

    /// Returns the resource to which the path leads; nil for an unknown path.
    /// - Parameter tail: the rest of the path after the secret.
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

/// The format in which a client expects text.
package enum LinkForm: Hashable, Sendable {
    case html, json, text
    /// The client, such as a program that previews links, requests no particular format. It gets HTML, unless the query asks for a picture.
    case any

    /// Prefixes of the `User-Agent` headers of programs that print responses in a terminal.
    private static let terminals = ["curl/", "wget/", "httpie/"]

    init(accept: String?, userAgent: String?) {
        let accept = accept?.lowercased() ?? ""
        let agent = userAgent?.lowercased() ?? ""
        let isTerminal = Self.terminals.contains { agent.hasPrefix($0) }
        self =
            accept.contains("text/html") ? .html : accept.contains("application/json") ? .json : isTerminal ? .text : .any
    }
}
