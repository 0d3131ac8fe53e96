import FleetEngine
import FoundationEssentials
import TripWatchSharing
import TripWatchWords

/// The links of this process, as listed for the user.
@MainActor
struct ShareTable {
    struct Row {
        /// Full name of the trip or shipment.
        var name: String
        var link: String
        var endsAt: Date?
        var readers: Int

        /// The fields of the link's line in the answer to `list`.
        var words: [String] { [ForeignText.line(name), link, endsAt.map(Timestamps.rfc3339) ?? "-", "\(readers)"] }
    }

    /// The part of the links before `/s/`.
    let base: String
    let desk: ShareDesk

    var rows: [Row] {
        desk.listed.map { Row(name: "\($0.subject)", link: link($0), endsAt: $0.endsAt, readers: $0.readers) }
    }

    /// Whether the links have a loopback address, which leads other people to their own computers.
    var isLocal: Bool { URL(string: base)?.host().map { LoopbackHost.contains($0) } ?? false }

    private func link(_ listed: ShareDesk.Listed) -> String { "\(base)/s/\(listed.secret.text)" }

    /// Returns the link to a trip or shipment; nil if there is no link.
    func link(to subject: FollowedName) -> String? { desk.listed.first { $0.subject == subject }.map(link) }

    /// Ends the link to a trip or shipment.
    func endLink(to subject: FollowedName) {
        if let listed = desk.listed.first(where: { $0.subject == subject }) { desk.end(Substring(listed.secret.text)) }
    }

    /// Returns the answer to a command line from the user: `list`, or `end LINK`.
    func answer(_ line: String) -> String {
        if line == "list" {
            return rows.map { $0.words.joined(separator: " ") + "\n" }.joined()
        }
        guard line.hasPrefix("end ") else { return "" }
        return desk.end(Self.secret(in: line.dropFirst(4))) ? "ended\n" : ""
    }

    /// Returns the secret in a link. The link may have a subpath after the secret.
    private static func secret(in link: Substring) -> Substring {
        guard let start = link.lastRange(of: "/s/")?.upperBound else { return link }
        return link[start...].prefix { $0 != "/" && $0 != "." && $0 != "?" }
    }
}

extension Substring {
    fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}
