import CZlib
import FleetEngineAPI
import FoundationEssentials
import ServerHarness
import Testing

@testable import LocalFleetEngine

@Suite("The HTTP port for clients of all kinds", .timeLimit(.minutes(1)))
struct HTTPDoorTests {
    private struct Car: Decodable { let key: String }

    private static func key(_ desk: ProviderHarness) async throws -> String {
        let answer = try await desk.ask("POST", "/car/new", #"{"vehicleId":"car-7"}"#)
        return try JSONDecoder().decode(Car.self, from: Data(answer.text.utf8)).key
    }

    private static func latitude(_ desk: ProviderHarness) async throws -> Double {
        try await desk.desk.vehicle("car-7").lastLocation.location.latitude
    }

    @Test("a client that waits for 100 Continue gets it, once, before it sends the body")
    func continues() async throws {
        try await ProviderHarness.with { desk in
            let key = try await Self.key(desk)
            let body = #"{"_type":"location","lat":48.5,"lon":9.1}"#
            let connection = try await RawConnection(port: desk.port)
            try await connection.send(
                "POST /car/\(key)/owntracks HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            )
            #expect(await connection.wait(for: "HTTP/1.1 100 Continue\r\n\r\n"))
            try await connection.send(body)
            #expect(await connection.wait(for: "[]"))
            #expect(connection.received.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
            #expect(try await Self.latitude(desk) == 48.5)
            await connection.close()
        }
    }

    @Test(
        "a client of HTTP/1.0 needs no host, gets no chunks, and reads to the end of the connection",
        arguments: ["", "Expect: 100-continue\r\n"])
    func old(header: String) async throws {
        try await ProviderHarness.with { desk in
            let connection = try await RawConnection(port: desk.port)
            try await connection.send("GET /healthz HTTP/1.0\r\n\(header)\r\n")
            let answer = try await connection.waitForEnd()
            #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n") && answer.hasSuffix("\r\n\r\nok\n"), "\(answer)")
            #expect(answer.lowercased().contains("connection: close") && !answer.lowercased().contains("chunked"))
        }
    }

    @Test("HTTP/1.0 does not lift the checks of host and origin")
    func oldUnderOtherName() async throws {
        try await ProviderHarness.with { desk in
            for (header, status) in [("Host: evil.example", "421"), ("Host:", "421"), ("Origin: http://evil.example", "403")] {
                let connection = try await RawConnection(port: desk.port)
                try await connection.send("GET /vehicles HTTP/1.0\r\n\(header)\r\n\r\n")
                #expect(try await connection.waitForEnd().hasPrefix("HTTP/1.0 \(status) "), "\(header)")
            }
        }
    }

    @Test("HEAD is answered as GET without a body, PUT from a phone as POST")
    func methods() async throws {
        try await ProviderHarness.with { desk in
            let place = #"{"point":{"latitude":-36,"longitude":-20}}"#
            let trip = #"{"tripType":"EXCLUSIVE","pickupPoint":\#(place),"dropoffPoint":\#(place),"numberOfPassengers":2}"#
            #expect(try await desk.ask("POST", "/v1/providers/plain/trips?tripId=t", trip).status == 200)
            let length = try await desk.ask("GET", "/v1/providers/plain/trips/t").text.utf8.count
            let connection = try await RawConnection(port: desk.port)
            for path in ["/healthz", "/nowhere", "/v1/providers/plain/trips/none", "/v1/providers/plain/trips/t"] {
                try await connection.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            }
            try await connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answers = try await connection.waitForEnd().components("HTTP/1.1 ")
            #expect(answers.map { $0.prefix(3) } == ["200", "404", "404", "200", "200"])
            #expect(answers.map { $0.hasSuffix("\r\n\r\n") } == [true, true, true, true, false])
            #expect(answers.first?.lowercased().contains("content-length: 3") == true)
            #expect(answers.dropLast().last?.lowercased().contains("content-length: \(length)\r\n") == true)
            let key = try await Self.key(desk)
            #expect(try await desk.ask("PUT", "/car/\(key)/traccar?id=7&lat=48.5&lon=9.1").status == 200)
            #expect(try await Self.latitude(desk) == 48.5)
        }
    }

    @Test(
        "a space in an address, or bytes that are not HTTP, get an error message",
        arguments: ["GET /car/K/osmand?lat=48.5& lon=9.1 HTTP/1.1", "hello"])
    func noRequest(line: String) async throws {
        try await ProviderHarness.with { desk in
            let connection = try await RawConnection(port: desk.port)
            try await connection.send("\(line)\r\nHost: localhost\r\n\r\n")
            let answer = try await connection.waitForEnd()
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("write a space in an address as %20"), "\(answer)")
        }
    }

    private static func gzip(_ text: String) throws -> [UInt8] {
        let plain = Array(text.utf8)
        let room = plain.count + 100
        var packed = [UInt8](repeating: 0, count: room)
        var count = 0
        let result = czlib_gzip(plain, plain.count, &packed, room, &count)
        try #require(result == CZLIB_DONE)
        return Array(packed.prefix(count))
    }

    private static func post(_ desk: ProviderHarness, _ path: String, _ body: [UInt8], _ encoding: String) async throws -> String {
        let connection = try await RawConnection(port: desk.port)
        let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Encoding: \(encoding)\r\n"
        try await connection.send(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
        return try await connection.waitForEnd()
    }

    @Test("a gzip body is read; a damaged, otherwise encoded or too large one is refused with a message")
    func compressed() async throws {
        try await ProviderHarness.with { desk in
            let path = "/car/\(try await Self.key(desk))/overland"
            let batch = #"{"locations":[{"geometry":{"coordinates":[9.1,48.5]}}]}"#
            #expect(try await Self.post(desk, path, try Self.gzip(batch), "gzip").hasSuffix(#"{"result":"ok"}"#))
            #expect(try await Self.latitude(desk) == 48.5)
            #expect(try await Self.post(desk, path, Array(batch.utf8), "identity").contains("200 OK"))
            let damaged = try await Self.post(desk, path, Array(batch.utf8), "gzip")
            #expect(damaged.contains(" 400 ") && damaged.contains("cannot be decompressed"))
            let other = try await Self.post(desk, path, Array(batch.utf8), "br")
            #expect(other.contains(" 415 ") && other.contains("use gzip or deflate, or send the body uncompressed"))
            let large = try Self.gzip(String(repeating: " ", count: desk.limits.bodyBytes) + batch)
            #expect(try await Self.post(desk, path, large, "gzip").contains(" 413 "))
            let state = #""vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4"#
            let vehicle = try Self.gzip(#"{\#(state),"vehicleType":{"category":"AUTO"}}"#)
            #expect(try await Self.post(desk, "/v1/providers/plain/vehicles?vehicleId=v1", vehicle, "gzip").contains("200 OK"))
        }
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: true).map(String.init)
    }
}
