import FleetEngine
import FoundationEssentials
import HTTPCalls
import NIOHTTP1
import OnlineTiles
import Synchronization
import VectorTiles

extension FuzzTarget {
    /// The readers of answers from map servers. No network is used.
    static let mapServers = [mapAnswers, mapRanges]

    private static let now = Date(timeIntervalSince1970: 1_935_756_120)

    /// Reads tiles of a map. Checks that all texts about the map and its server are printable.
    private static func read(_ address: MapAddress, _ transport: @escaping HTTPCall.Transport) async throws {
        let told = Mutex<[String]>([])
        var settings = OnlineSettings(userAgent: "fuzzers")
        settings.time = EndlessClock(date: now)
        settings.limits.bodyByteCount = 1 << 17
        settings.onRequest = { request in told.withLock { $0.append(request.host + (request.failure ?? "")) } }
        let source = try OnlineTileSource(address, settings: settings, transport: transport)
        var isRead = false
        for (zoom, x, y) in [(0, 0, 0), (1, 0, 0), (5, 17, 9)] {
            guard let id = TileID(zoom: zoom, x: x, y: y) else { continue }
            switch await source.answer(for: id) {
            case .tile: isRead = true
            case .unreadable(let reason): told.withLock { $0.append(reason) }
            case .absent, .notYet: break
            }
            // After a failure, the next request would be sent only after a pause.
            await source.askNow()
        }
        let details = source.details
        for text in told.withLock({ $0 }) + [details.name, details.attribution] {
            try FuzzFault.check(printable: text, of: "a text about a map server")
        }
        guard isRead else { throw RefusedInput() }
    }

    /// The answers of a server to all requests, in order. The first line of the input is the address of the map.
    private static let mapAnswers = FuzzTarget(
        "map-answers", bytes: MapSeeds.answers,
        words: json + [
            "\n--next--\n", "\n\n", "\n", "200\n", "204\n", "206\n", "302\nlocation: /x\n\n", "304\n", "404\n", "429\n", "503\n",
            "content-encoding: ", "gzip", "br", "identity", "content-range: bytes ", "0-", "/*", "etag: \"2\"\n", "last-modified: ",
            "retry-after: ", "cache-control: max-age=", "no-store", "age: ", "expires: ", "Mon, 05 May 2031 10:22:00 GMT", "<html>",
            "{z}", ".pmtiles", "PMTiles\u{3}",
        ]
    ) { input, _ in
        let (address, rest) = headed(input)
        let answers = responses(in: rest)
        for answer in answers {
            let seconds = CacheRule(answer.headers, isGap: false, now: now).freshSeconds
            guard (0...CacheRule.longestSeconds).contains(seconds) else {
                throw FuzzFault(rule: "an answer stays fresh for \(seconds) s")
            }
        }
        let waiting = Mutex(answers[...])
        try await read(try MapAddress(address)) { _ in
            guard let answer = waiting.withLock({ $0.popFirst() }) else { throw HTTPFailure(.broken, "it closed the connection") }
            return answer
        }
    }

    /// Returns the answers in a text. The line `--next--` precedes each answer. An answer consists of lines with its status and its
    /// headers, an empty line, and its body.
    private static func responses(in text: ArraySlice<UInt8>) -> [HTTPCall.Response] {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.split { $0.elementsEqual("--next--".utf8) }.map { part in
            let head = part.prefix { !$0.isEmpty }
            let body = part.dropFirst(head.count + 1)
            var headers = HTTPHeaders()
            for line in head.dropFirst() {
                let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
                // NIO refuses names with non-ASCII characters before this code receives them.
                guard name.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
                headers.add(name: name, value: String(decoding: line.dropFirst(name.utf8.count + 2), as: UTF8.self))
            }
            let status = head.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 200
            let start = body.first?.startIndex ?? text.endIndex
            return HTTPCall.Response(status: status, headers: headers, body: Array(text[start..<(body.last?.endIndex ?? start)]))
        }
    }

    /// A PMTiles archive that is read in ranges from a server, which answers each request correctly.
    private static let mapRanges = FuzzTarget(
        "map-ranges", bytes: MapSeeds.archives, words: json + ["PMTiles\u{3}", "\"name\"", "\"attribution\"", "\"vector_layers\""]
    ) { input, _ in
        try await read(try MapAddress("https://a.example/world.pmtiles")) { call in
            let range = call.headers.first(name: "range")?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
            guard range.count == 2, range[0] <= range[1], range[0] < input.count else {
                return HTTPCall.Response(status: 416, headers: [:], body: [])
            }
            let part = input[range[0]...min(range[1], input.count - 1)]
            let place = "bytes \(part.startIndex)-\(part.endIndex - 1)/\(input.count)"
            return HTTPCall.Response(status: 206, headers: ["content-range": place, "etag": "\"1\""], body: Array(part))
        }
    }
}

/// A clock that always shows the same time. A sleep lasts until its task is cancelled.
private struct EndlessClock: TimeSource {
    let date: Date

    func now() -> Date { date }

    func sleep(until deadline: Date) async throws {
        let silence = AsyncStream<Void> { _ in }
        for await _ in silence {}
        try Task.checkCancellation()
    }
}
