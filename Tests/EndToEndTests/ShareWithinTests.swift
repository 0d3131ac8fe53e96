import Foundation
import Testing

@testable import ProgramHarness

@Suite("serve --share-within", .timeLimit(.minutes(2)))
struct ShareWithinTests {
    private static let stopCount = 6

    /// The plan of a van with six stops. At each stop, it has one shipment: `p1` to `p6`.
    private static var plan: String {
        let place = { (number: Int) in #"{"lat":-36.0\#(number),"lng":-20}"# }
        let tasks = (1...stopCount).map { number in
            #"{"task_id":"t\#(number)","tracking_id":"p\#(number)","task_type":"DELIVERY","duration_seconds":60,"#
                + #""planned_waypoint":\#(place(number))}"#
        }
        let stops = (1...stopCount).map { number in
            #"{"stop_id":"s\#(number)","planned_waypoint":\#(place(number)),"tasks":["t\#(number)"]}"#
        }
        return #"{"vehicle":{"vehicle_id":"van","start_location":{"lat":-36,"lng":-20}},"#
            + #""tasks":[\#(tasks.joined(separator: ","))],"stops":[\#(stops.joined(separator: ","))]}"#
    }

    /// Returns the output of `status --json` for all shipments, in the order of their stops.
    private func answers(_ options: [String]) throws -> [[String: Any]] {
        let file = FileManager.default.temporaryDirectory.appending(path: "plan-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.plan.write(to: file, atomically: true, encoding: .utf8)
        let commands = (1...Self.stopCount).map { "tripwatch status --tracking p\($0) --provider demo --json" }
        let folder = URL(filePath: Program.path).deletingLastPathComponent().path
        let path = "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let result = try Program().run(
            ["serve", "--manifest", file.path, "--router", "straight"] + options + ["--exec", commands.joined(separator: " && ")],
            setting: ["PATH": path])
        #expect(result.status == 0, "\(result.errors)")
        return try result.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    @Test(
        "a shipment's stops, arrival and distance are shared while at most N stops remain; 0 shares nothing, and 5 is the default",
        arguments: [([], 5), (["--share-within", "2"], 2), (["--share-within", "0"], 0)] as [([String], Int)])
    func within(options: [String], stops: Int) throws {
        let answers = try answers(options)
        #expect(answers.count == Self.stopCount)
        for (before, answer) in answers.enumerated() {
            let isShared = before < stops
            #expect(answer["state"] as? String == "OPEN")
            #expect(answer["stops_before"] as? Int == (isShared ? before : nil), "\(answer)")
            #expect((answer["eta"] is String) == isShared, "\(answer)")
            #expect((answer["remaining_m"] is NSNumber) == isShared, "\(answer)")
            #expect((answer["freshness"] is String) == isShared, "\(answer)")
        }
    }
}
