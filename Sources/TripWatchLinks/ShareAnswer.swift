import FoundationEssentials
import HTTPServing
import TerminalCanvas
import TripWatchSettings
import TripWatchSharing

/// Creates the answers to requests for links. Their headers forbid caching, and forbid access by other pages.
enum ShareAnswer {
    private static func answer(
        _ status: Int, type: String?, _ body: WebAnswer.Body, _ more: [(name: String, value: String)] = []
    ) -> WebAnswer {
        var headers = [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff")]
            .map { (name: $0.0, value: $0.1) }
        if let type { headers.append((name: "Content-Type", value: type)) }
        return WebAnswer(status: status, headers: headers + more, body: body)
    }

    private static func whole(_ text: String) -> WebAnswer.Body { .whole(WebBytes(text.utf8)) }

    static func empty(_ status: Int) -> WebAnswer {
        answer(status, type: nil, whole(""), status == 405 ? [("Allow", "GET, HEAD")] : [])
    }

    /// - Parameter bytes: the text. It has no line break at its end.
    static func text(_ bytes: WebBytes) -> WebAnswer {
        answer(200, type: "text/plain; charset=utf-8", .whole(bytes + WebBytes("\n".utf8)), [("Vary", "Accept, User-Agent")])
    }
    static func json(_ text: String) -> WebAnswer { answer(200, type: "application/json; charset=utf-8", whole(text + "\n")) }
    static func svg(_ bytes: WebBytes) -> WebAnswer {
        answer(200, type: "image/svg+xml", .whole(bytes), [("Content-Security-Policy", "default-src 'none'; sandbox")])
    }

    static func html(_ text: String, nonce: String, status: Int = 200) -> WebAnswer {
        answer(
            status, type: "text/html; charset=utf-8", whole(text),
            [("Content-Security-Policy", LinkPage.policy(nonce: nonce)), ("Vary", "Accept, User-Agent")])
    }

    /// - Parameter address: the new address, relative to the requested one.
    static func moved(to address: String) -> WebAnswer { answer(308, type: nil, whole(""), [("Location", address)]) }

    /// The answer to a request with an unknown host.
    static var otherName: WebAnswer {
        let words =
            "'tripwatch share' does not accept this host name. Start it with --public-url https://NAME (for links from a screen: set share_url). "
            + "A proxy in front of it must forward the Host header.\n"
        return answer(421, type: "text/plain; charset=utf-8", whole(words))
    }

    /// The answer to a HEAD request for an event stream.
    static var noEvents: WebAnswer { answer(200, type: "text/event-stream; charset=utf-8", whole("")) }

    static func stream(_ parts: AsyncStream<WebBytes>, type: String = "text/event-stream; charset=utf-8") -> WebAnswer {
        // The header tells proxies not to buffer the stream.
        answer(200, type: type, .parts(parts), [("X-Accel-Buffering", "no")])
    }

    static var badSize: WebAnswer {
        let (columns, rows) = (LinkPicture.columns, LinkPicture.rows)
        let words =
            "cols must be from \(columns.lowerBound) to \(columns.upperBound), and rows from \(rows.lowerBound) to \(rows.upperBound).\n"
        return answer(400, type: "text/plain; charset=utf-8", whole(words), [("Vary", "Accept, User-Agent")])
    }

    /// Returns the answer for an IP address that has exceeded a limit.
    /// - Parameters:
    ///   - what: what the address has sent, such as `wrong links`.
    ///   - seconds: time until the address may try again.
    static func tooMany(_ what: String, seconds: Int) -> WebAnswer {
        answer(
            429, type: "text/plain; charset=utf-8", whole("Too many \(what) came from this address. Try again in \(seconds) s.\n"),
            [("Retry-After", "\(seconds)")])
    }

    /// Returns the answer for a link that never existed, has ended, or is invalid. It is the same for all of these.
    static func noLink(_ form: LinkForm) -> WebAnswer {
        switch form {
        case .html, .any:
            let nonce = LinkSecret().text
            return html(LinkPage.noLinkPage(nonce: nonce), nonce: nonce, status: 404)
        case .json:
            return answer(
                404, type: "application/json; charset=utf-8", whole("{\"message\":\"\(LinkPage.noLink)\"}\n"),
                [("Vary", "Accept, User-Agent")])
        case .text: return answer(404, type: "text/plain; charset=utf-8", whole(LinkPage.noLink + "\n"), [("Vary", "Accept, User-Agent")])
        }
    }
}

/// The colours of the pictures in links.
struct ShareLooks: Sendable {
    let light, dark, terminal, plain: Theme

    init() {
        let catalog = ThemeCatalog()
        light = catalog.load(nil, background: .light, depth: .direct).theme
        dark = catalog.load(nil, background: .dark, depth: .direct).theme
        terminal = catalog.load(nil, background: .dark, depth: .palette256).theme
        plain = catalog.load(nil, background: nil, depth: .none).theme
    }
}
