import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("Links, compared with those of earlier versions", .timeLimit(.minutes(3)))
struct GoldenLinkTests {
    private static let kinds = ["ride", "order", "shipment"]
    private static let prefix = "data: "

    private static func data(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    @Test(
        "LINK.json and the events have the earlier keys with the same types", .enabled(if: WebClient.path != nil, "needs curl"),
        arguments: Golden.versions, kinds)
    func served(version: String, kind: String) async throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let setting = ["XDG_RUNTIME_DIR": folder.path]
        let address = kind == "shipment" ? ["--show-address"] : []
        try await EventfulServer.make().serve { port in
            let options = ["--http-port", "0", "--interval", "1", "--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            try await background {
                let share = try Program().start(["share"] + EventfulServer.subject(kind) + options + address, setting: setting)
                defer { share.stop() }
                let link = try #require(share.line()?.split(separator: " ").last.map(String.init))
                let (reader, pipe) = try WebClient.start([link + "/events"])
                defer { reader.terminate() }
                let events = LineWatch(pipe)
                #expect(events.line(with: #""event":"route""#) != nil)
                let json = try WebClient.get(link + ".json").body
                #expect(try Golden.missing(from: [json], in: Golden.lines(version, "link-\(kind).json")) == [], "\(json)")
                #expect(events.line(with: #""event":"end""#) != nil)
                #expect(try Program().run(["share", "end", link], setting: setting).status == 0)
                #expect(events.line(with: #""event":"link_ended""#) != nil)
                let golden = Self.data(try Golden.lines(version, "link-\(kind).sse"))
                #expect(golden.count > 8)
                #expect(try Golden.missing(from: Self.data(events.all), in: golden) == [])
            }
        }
    }
}
