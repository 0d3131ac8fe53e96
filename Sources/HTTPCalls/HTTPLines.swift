import AsyncHTTPClient
import FleetEngine
import NIOHTTP1

/// A GET request whose answer is text that keeps arriving, such as an event stream. Each line is passed on as it arrives.
package struct HTTPLines: Sendable {
    /// The rules for the connection. An answer may pause for at most 40 s.
    private static let policy = HTTPPolicy(silenceSeconds: 40)
    /// Maximum duration of an answer, in seconds.
    private static let longestSeconds: Int64 = 7 * 86_400

    package var url: String
    /// The media type that the answer must have, such as `text/event-stream`, without parameters and in lower case.
    package var type: String
    package var headers: [(name: String, value: String)]
    /// Path of a PEM file with certificates that are trusted in addition to the system's.
    package var caFile: String?

    package init(url: String, type: String, headers: [(name: String, value: String)] = [], caFile: String? = nil) {
        self.url = url
        self.type = type
        self.headers = headers
        self.caFile = caFile
    }

    /// Reads lines until the other side ends the answer.
    ///
    /// - Parameters:
    ///   - onOpen: called with the `Date` header of an answer with status 200.
    ///   - onLine: called with each line, without its line break.
    /// - Returns: the status. If it is not 200, the body is not read.
    /// - Throws: `HTTPFailure`, for example if the answer has another media type, breaks off, or pauses for too long.
    package func read(onOpen: (String?) -> Void, onLine: (String) -> Void) async throws(HTTPFailure) -> Int {
        do {
            let call = HTTPCall(
                url: url, headers: HTTPHeaders([("Accept", type)] + headers.map { ($0.name, $0.value) }), policy: Self.policy,
                tls: try caFile.map(HTTPExchange.trusting))
            let answer = try await call.send(within: Self.longestSeconds)
            guard answer.status == 200 else { return answer.status }
            guard hasType(answer.headers) else { throw HTTPFailure(.otherType, "it answers with something other than \(type)") }
            onOpen(answer.headers.first(name: "date"))
            var reader = HTTPLineReader()
            for try await part in answer.parts { try reader.add(part, onLine: onLine) }
            return 200
        } catch {
            throw Task.isCancelled ? HTTPFailure(.cancelled, "cancelled") : HTTPFailure(error)
        }
    }

    private func hasType(_ headers: HTTPHeaders) -> Bool {
        let told = headers.first(name: "content-type")?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return told?.lowercased() == type
    }
}
