import FoundationEssentials
import Glibc
package import ProgramSurroundings

/// Asks the programs that serve links here.
package struct ShareControlRun: Sendable {
    package enum Wish: Sendable {
        case list
        /// The link, or its secret alone.
        case end(String)
    }

    package var wish: Wish

    package init(_ wish: Wish) { self.wish = wish }

    package func perform(in surroundings: Surroundings) throws -> ProgramEnd {
        let sockets = Self.sockets(in: surroundings)
        switch wish {
        case .list:
            for socket in sockets {
                let lines = (Self.ask("list", socket) ?? "").split(separator: "\n")
                for line in lines { surroundings.streams.print(printableWhole(String(line))) }
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
