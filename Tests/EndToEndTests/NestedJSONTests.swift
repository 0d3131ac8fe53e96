import Foundation
import Testing

@testable import ProgramHarness

/// Sends JSON with deeply nested brackets to a real server. Foundation's decoder traps if the last byte opens the 513th array.
@Suite("JSON that would end the process", .timeLimit(.minutes(2)))
struct NestedJSONTests {
    private final class Server {
        let running: Program.Running
        let port: Int
        private let errors: LineWatch

        init(_ options: [String]) throws {
            running = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"] + options)
            port = try #require(running.line()?.matches(of: /:([0-9]+)/).compactMap { Int($0.1) }.last)
            errors = LineWatch(running.errors)
        }

        deinit { running.stop() }

        func status(_ start: String, headers: [String] = [], body: String = "") throws -> Int? {
            let connection = try TCPConnection(port: port)
            let lines = ["\(start) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
            connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
            return connection.read().split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }

    private static let bodies = [
        String(repeating: "[", count: 513), String(repeating: "[", count: 512), "{\"a\":" + String(repeating: "[", count: 512),
        String(repeating: "{\"a\":", count: 513), twiceUTF16,
    ]
    /// Text that was converted to UTF-16 twice. A check of single bytes would mistake the brackets for a part of a string.
    private static let twiceUTF16: String = {
        let inner = "[\0\"\0\u{1}\"\"\0,\0" + String(repeating: "[\0", count: 512)
        return String(inner.flatMap { [$0, "\0"] })
    }()

    @Test("the provider API refuses it, and the server stays up")
    func provider() throws {
        let server = try Server([])
        for body in Self.bodies {
            #expect(try server.status("POST /trip/new", body: body) == 400)
            #expect(try server.status("POST /vehicle/new", body: body) == 400)
            #expect(try server.status("POST /v1/providers/p/trips?tripId=t", body: body) == 400)
        }
        #expect(try server.status("GET /vehicles") == 200)
    }

    @Test("a token with it is refused, and the server stays up")
    func tokens() throws {
        let folder = try Folder()
        let server = try Server(["--auth", "on", "--keys", folder.keys])
        func part(_ text: String) -> String { Data(text.utf8).base64EncodedString().replacing("=", with: "") }
        for body in Self.bodies {
            for token in ["\(part(body)).e30.e30", "e30.\(part(body)).e30"] {
                #expect(try server.status("GET /v1/providers/p/trips/t", headers: ["Authorization: Bearer \(token)"]) == 401)
            }
        }
    }
}
