import FoundationEssentials
import TripWatchWords

/// A link's page in HTML. The page's script replaces its sections one by one; the frame around them stays.
struct LinkDocument {
    /// Preview for messaging apps. Such apps store the preview and show it to everyone in a conversation, so it has no details of the trip
    /// or shipment.
    struct Preview {
        let title, description: String

        static let trip = Preview(title: "A ride to track", description: "The car's position and arrival time.")
        static let order = Preview(title: "An order to track", description: "The courier's position and arrival time.")
        static let shipment = Preview(title: "A delivery to track", description: "The vehicle's position and arrival time.")

        var html: String {
            """
            <meta name="description" content="\(description)">
            <meta property="og:type" content="website">
            <meta property="og:site_name" content="tripwatch">
            <meta property="og:title" content="\(title)">
            <meta property="og:description" content="\(description)">
            <meta name="twitter:card" content="summary">
            """
        }
    }

    let preview: Preview
    /// Title of the browser window. It is plain text, as are `heading` and `spoken`; all other sections are HTML.
    var windowTitle = ""
    var heading = ""
    var freshness = ""
    /// The arrival time, in the largest type on the page.
    var hero = ""
    /// The map; empty while there is nothing to draw.
    var map = ""
    var facts = ""
    var spoken = ""
    var ending = ""

    init(_ preview: Preview) { self.preview = preview }

    func html(nonce: String) -> String {
        let head = """
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex, nofollow">
            \(preview.html)
            <title>\(Self.text(windowTitle))</title>
            <link rel="icon" href="data:,">
            <noscript><meta http-equiv="refresh" content="10"></noscript>
            <style nonce="\(nonce)">\(LinkPage.style)</style>
            """
        let body = """
            <header><h1 id="title">\(Self.text(heading))</h1><p id="fresh">\(freshness)</p></header>
            <p id="gone" class="banner" role="alert" hidden></p>
            <main id="main">
            <section id="hero" aria-label="Arrival">\(hero)</section>
            <div id="map">\(map)</div>
            <section id="facts">\(facts)</section>
            </main>
            <p id="say" class="vh" aria-live="polite">\(Self.text(spoken))</p>
            <footer id="foot">\(ending)</footer>
            <script nonce="\(nonce)">\(LinkPage.script)</script>
            """
        return Self.whole(head: head, body: body)
    }

    static func whole(head: String, body: String) -> String {
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\(head)\n</head>\n<body>\n\(body)\n</body>\n</html>\n"
    }
}

// MARK: - Parts that all pages have

extension LinkDocument {
    /// Returns text that is escaped for use between tags or in quotes. Text from outside must already have passed
    /// `sanitised(_:maximumLength:)`, because characters that change the text direction are not removed here.
    static func text(_ text: String) -> String {
        StatusReport.markup(text).replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    /// Returns a clock time in this machine's time zone, as HTML. The script converts it to the viewer's time zone, and puts the day before
    /// it unless the time is today. A time less than 12 hours before or after now gets the day only if `clock` has one.
    static func time(_ moment: Date, clock: String, zone: String) -> String {
        let zone = zone.isEmpty ? "" : " \(text(zone))"
        let day = clock.contains(" ") ? " data-day" : ""
        return "<time\(day) datetime=\"\(Timestamps.rfc3339(moment))\">\(clock)\(zone)</time>"
    }

    /// Returns an age as HTML. The script keeps the age current.
    static func age(_ words: String, seconds: Double) -> String {
        let tail = words.hasSuffix(" ago") ? " ago" : ""
        return "<span data-age=\"\(Int(min(max(seconds, 0), 1e7).rounded()))\" data-tail=\"\(tail)\">\(text(words))</span>"
    }

    /// Returns the pictures of a map as HTML, with variants for phones and desktops, and for light and dark pages.
    static func map(_ secret: LinkSecret, alternative: String) -> String {
        func source(_ size: String, _ isDark: Bool) -> String { "\(secret.text)/map.svg?\(size)\(isDark ? "&amp;dark" : "")" }
        let (wide, narrow, dark) = ("cols=96&amp;rows=42", "cols=52&amp;rows=24", "(prefers-color-scheme: dark)")
        return """
            <picture><source media="(min-width: 60em) and \(dark)" srcset="\(source(wide, true))">\
            <source media="(min-width: 60em)" srcset="\(source(wide, false))">\
            <source media="\(dark)" srcset="\(source(narrow, true))">\
            <img src="\(source(narrow, false))" alt="\(text(alternative))"></picture>
            """
    }
}
