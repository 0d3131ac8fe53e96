import Foundation
import Testing

@testable import ProgramHarness

@Suite("Requests for links from one address", .timeLimit(.minutes(3)))
struct LinkRateTests {
    private static let outside = ["--listen", "0.0.0.0", "--allow-plaintext"]

    /// Requests a link until the status is not 200, at most 1,500 times.
    private func ask(_ link: Substring) throws -> (count: Int, answer: String) {
        let port = try #require(link.firstMatch(of: #/:(\d+)/s//#).flatMap { Int($0.1) }, "\(link)")
        let path = "/s/\(link.split(separator: "/").last ?? "")"
        let connection = try TCPConnection(port: port)
        var count = 0
        var answer = ""
        while count < 1_500 {
            connection.send("HEAD \(path).json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = connection.read(until: "\r\n\r\n")
            guard answer.hasPrefix("HTTP/1.1 200") else { break }
            count += 1
        }
        return (count, answer)
    }

    @Test("with a valid link, an address above its limit gets 429 with Retry-After; without --rate-limit, this machine has no limit")
    func rate() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        let cases: [(options: [String], limit: Int?)] = [
            (["--rate-limit", "5"], 5), ([], nil), (Self.outside, nil), (Self.outside + ["--rate-limit", "5"], 5),
            (Self.outside + ["--rate-limit", "0"], nil),
        ]
        for (options, limit) in cases {
            let sharing = try server.program.start(["share", trip, "--http-port", "0"] + options + server.connection)
            defer { sharing.stop() }
            let (count, answer) = try ask(try #require(sharing.line()?.split(separator: " ").last))
            if let limit {
                // A slow machine gets more answers, because the allowance grows meanwhile.
                #expect(count >= 2 * limit && answer.hasPrefix("HTTP/1.1 429"), "\(options) \(count) \(answer)")
                #expect(answer.lowercased().contains("retry-after: 1\r\n"), "\(answer)")
            } else {
                #expect(count == 1_500, "\(options) \(answer)")
            }
        }
    }
}
