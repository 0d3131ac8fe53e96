import AsyncHTTPClient
import FleetEngine
import NIOCore
import NIOHTTP1

/// A GET whose answer is text of one type that goes on: its lines as they come.
package struct HTTPLines: Sendable {
    /// A line may have so many bytes.
    private static let longestLine = 4 << 20
    /// An answer that says nothing for so long is over.
    private static let policy = HTTPPolicy(silenceSeconds: 40)
    /// The longest time for which an answer goes on, seconds.
    private static let longestSeconds: Int64 = 7 * 86_400

    package var url: String
    /// The answer's media type, such as `text/event-stream`, without parameters and in small letters.
    package var type: String
    package var headers: [(name: String, value: String)]
    /// Certificates in PEM that are trusted besides the system's.
    package var caFile: String?

    package init(url: String, type: String, headers: [(name: String, value: String)] = [], caFile: String? = nil) {
        self.url = url
        self.type = type
        self.headers = headers
        self.caFile = caFile
    }

    /// Reads until the other side ends.
    ///
    /// - Parameters:
    ///   - onOpen: told the `Date` of an answer with status 200.
    ///   - onLine: told each line, without its end.
    /// - Returns: the status; of another one than 200 nothing is read.
    /// - Throws: `HTTPFailure`, also for an answer that is of another type, breaks off or falls silent.
    package func read(onOpen: (String?) -> Void, onLine: (String) -> Void) async throws(HTTPFailure) -> Int {
        do {
            let call = HTTPCall(
                url: url, headers: HTTPHeaders([("Accept", type)] + headers.map { ($0.name, $0.value) }), policy: Self.policy,
                tls: try caFile.map(HTTPExchange.trusting))
            let answer = try await call.send(within: Self.longestSeconds)
            guard answer.status == 200 else { return answer.status }
            guard hasType(answer.headers) else { throw HTTPFailure(.otherType, "it answers with something other than \(type)") }
            onOpen(answer.headers.first(name: "date"))
            var rest: [UInt8] = []
            for try await part in answer.parts {
                for byte in part.readableBytesView {
                    guard byte == UInt8(ascii: "\n") else {
                        rest.append(byte)
                        continue
                    }
                    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
                    onLine(String(decoding: rest, as: UTF8.self))
                    rest.removeAll(keepingCapacity: true)
                }
                guard rest.count <= Self.longestLine else { throw HTTPFailure(.tooLarge, "the answer is too large") }
            }
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
