import FoundationEssentials
import Glibc
package import ProgramSurroundings

/// Asks the programs that serve links here.
package struct ShareControlRun: Sendable {
    package enum Wish: Sendable {
        case list(isJSON: Bool)
        /// The link, or its secret alone.
        case end(String)
    }

    package var wish: Wish

    package init(_ wish: Wish) { self.wish = wish }

    package func perform(in surroundings: Surroundings) throws -> ProgramEnd {
        let sockets = Self.sockets(in: surroundings)
        switch wish {
        case .list(let isJSON):
            let lines = sockets.flatMap { (Self.ask("list", $0) ?? "").split(separator: "\n").map(String.init) }
            if isJSON {
                surroundings.streams.print(json: lines.compactMap(SharedLinkFacts.init(line:)))
            } else {
                for line in lines { surroundings.streams.print(printableWhole(line)) }
            }
            return .success
        case .end(let link):
            // All are asked, so that a link is found wherever it is.
            let answers = sockets.compactMap { Self.ask("end \(link.filter { !$0.isNewline })", $0) }
            guard answers.contains("ended\n") else {
                throw Failure(message: "No program of yours here serves this link; 'tripwatch share list' shows those that are served.")
            }
            return .success
        }
    }

    private static func sockets(in surroundings: Surroundings) -> [String] {
        guard let folder = ShareSocket.folder(environment: surroundings.environment) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("share-") && $0.hasSuffix(".sock") }.sorted().map { folder + "/" + $0 }
    }

    /// Nil where nobody listens: what a program that was killed has left is cleared away.
    private static func ask(_ line: String, _ socket: String) -> String? {
        if let answer = LocalSocket.ask(line, at: socket) { return answer }
        if errno == ECONNREFUSED { unlink(socket) }
        return nil
    }
}

/// A link that is served, as JSON tells of it.
struct SharedLinkFacts: Encodable {
    let trip: String
    let link: String
    /// Nil as long as the end is unknown.
    let endsAt: String?
    let readers: Int

    private enum CodingKeys: String, CodingKey {
        case trip, link, readers
        case endsAt = "ends_at"
    }

    /// - Parameter line: what a serving program says of a link; nil for a line of another form.
    init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 4, let readers = Int(words[3]) else { return nil }
        trip = words[0]
        link = words[1]
        endsAt = words[2] == "-" ? nil : words[2]
        self.readers = readers
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(trip, forKey: .trip)
        try container.encode(link, forKey: .link)
        // Null, not left out, when it is unknown.
        try container.encode(endsAt, forKey: .endsAt)
        try container.encode(readers, forKey: .readers)
    }
}
