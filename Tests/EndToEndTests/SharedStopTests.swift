import Foundation
import Testing

@testable import ProgramHarness

@Suite("The stops of a shared ride", .timeLimit(.minutes(2)), .enabled(if: WebClient.path != nil, "needs curl"))
struct SharedStopTests {
    @Test("the page names a stop as the trip does, on the way to it and at it, and keeps it after the trip")
    func names() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let trip = try #require(
            try server.book(from: "-36.01,-20", to: "-36.05,-20", "--via", "-36.03,-20", "--via-name", "King's Cross"))
        let sharing = try server.program.start(["share", trip, "--http-port", "0", "--interval", "1"] + server.connection)
        defer { sharing.stop() }
        let link = try #require(sharing.line()?.split(separator: " ").last.map(String.init))
        let (reader, pipe) = try WebClient.start([link + "/events"])
        defer { reader.terminate() }
        let events = LineWatch(pipe)
        let calls = try RESTCalls(server.desk)
        let id = String(trip.split(separator: "/").last ?? "")
        try calls.sendCar(to: id)
        func page(after status: String) throws -> String {
            _ = try calls.ask("PUT", "trips/\(id)?updateMask=tripStatus", #"{"tripStatus":"\#(status)"}"#)
            try #require(events.line(with: #""status":"\#(status)""#) != nil, "\(events.all)")
            return try WebClient.get(link, "-H", "Accept: text/html").body
        }
        let coming = try page(after: "ENROUTE_TO_INTERMEDIATE_DESTINATION")
        #expect(coming.contains("King&#39;s Cross in</p>"), "\(coming)")
        let waiting = try page(after: "ARRIVED_AT_INTERMEDIATE_DESTINATION")
        #expect(waiting.contains("<p class=\"what\">At King&#39;s Cross</p>"), "\(waiting)")
        _ = try page(after: "ENROUTE_TO_DROPOFF")
        let complete = try page(after: "COMPLETE")
        #expect(complete.contains("Done: </span>King&#39;s Cross</span><span><time"), "\(complete)")
    }
}
