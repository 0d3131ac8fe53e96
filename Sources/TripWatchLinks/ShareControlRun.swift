import FleetEngine
import FoundationEssentials
import Glibc
package import ProgramSurroundings

/// Sends commands to the programs on this machine that serve links.
package struct ShareControlRun: Sendable {
    package enum Wish: Sendable {
        case list(isJSON: Bool)
        /// Ends a link. The text is the whole link or only its secret.
        case end(String)
    }

    package var wish: Wish

    package init(_ wish: Wish) { self.wish = wish }

    package func perform(in surroundings: Surroundings) throws -> ProgramEnd {
        switch wish {
        case .list(let isJSON):
            let lines = Self.lines(in: surroundings)
            if isJSON {
                surroundings.streams.print(json: lines.compactMap(SharedLinkFacts.init(line:)))
            } else {
                for line in lines { surroundings.streams.print(printableWhole(line)) }
            }
            return .success
        case .end(let link):
            // Any program may serve the link, so the command goes to all of them.
            let answers = Self.sockets(in: surroundings).compactMap {
                Self.ask("end \(link.filter { !$0.isNewline })", $0, in: surroundings)
            }
            guard answers.contains("ended\n") else {
                throw Failure(
                    message: "No running tripwatch of yours serves this link: 'tripwatch share list' shows the links that are served.")
            }
            return .success
        }
    }

    /// Returns the links that programs on this machine serve.
    package static func links(in surroundings: Surroundings) -> [String] {
        lines(in: surroundings).compactMap(SharedLinkFacts.init(line:)).map(\.link)
    }

    /// Returns a line for each link. The line is written by the program that serves the link.
    private static func lines(in surroundings: Surroundings) -> [String] {
        sockets(in: surroundings).flatMap { (ask("list", $0, in: surroundings) ?? "").split(separator: "\n").map(String.init) }
    }

    private static func sockets(in surroundings: Surroundings) -> [String] {
        ShareSocket.folders(environment: surroundings.environment).flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasPrefix("share-") && $0.hasSuffix(".sock") }.sorted().map { folder + "/" + $0 }
        }
    }

    /// Sends a line to a socket, and returns the answer. Returns nil if no program is listening. Deletes a socket that a killed program
    /// left behind in the runtime directory.
    private static func ask(_ line: String, _ socket: String, in surroundings: Surroundings) -> String? {
        if let answer = LocalSocket.ask(line, at: socket) { return answer }
        guard errno == ECONNREFUSED else { return nil }
        // Several machines may share this folder. A program on another machine may still use the socket, although the connection was
        // refused here. So the socket is not deleted.
        if let folder = StateFolder.path(environment: surroundings.environment), socket.hasPrefix(folder + "/") { return nil }
        unlink(socket)
        return nil
    }
}

/// A served link, as written in JSON.
struct SharedLinkFacts: Encodable {
    /// Full name of the trip or shipment.
    let name: String
    let link: String
    /// The time at which the link ends; nil if it is not known yet.
    let endsAt: String?
    let readers: Int

    private enum CodingKeys: String, CodingKey {
        case trip, tracking, link, readers
        case endsAt = "ends_at"
    }

    /// - Parameter line: a line about a link, from a program that serves it. The result is nil for an invalid line.
    init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        // The name may contain spaces, so the other fields are taken from the end of the line.
        let rest = Array(words.suffix(3))
        guard words.count >= 4, let readers = Int(rest[2]) else { return nil }
        name = words.dropLast(3).joined(separator: " ")
        link = rest[0]
        endsAt = rest[1] == "-" ? nil : rest[1]
        self.readers = readers
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: (try? TaskTrackingName(name)) == nil ? .trip : .tracking)
        try container.encode(link, forKey: .link)
        // If the end is not known, the member is null instead of missing.
        try container.encode(endsAt, forKey: .endsAt)
        try container.encode(readers, forKey: .readers)
    }
}
