import Testing

@testable import ProgramHarness

/// A shipment of a scenario. Before its stop, the van has another stop with another task.
struct FaultShipment {
    let id: String
    let calls: RESTCalls

    var name: String { "providers/demo/taskTrackingInfo/p-\(id)" }
    private var van: String { "deliveryVehicles/van-\(id)" }
    private var otherTask: String { "other-\(id)" }
    private static let place = #"{"point":{"latitude":-35.98,"longitude":-20}}"#
    private static let otherPlace = #"{"point":{"latitude":-35.99,"longitude":-20}}"#

    /// Creates the van and the tasks of its two stops.
    func make() throws {
        try send("POST", "deliveryVehicles?deliveryVehicleId=van-\(id)", #"{"lastLocation":{"location":{"latitude":-36,"longitude":-20}}}"#)
        for (task, place) in [(otherTask, Self.otherPlace), (id, Self.place)] {
            try send(
                "POST", "tasks?taskId=\(task)",
                #"{"type":"DELIVERY","state":"OPEN","trackingId":"p-\#(task)","taskDuration":"60s","plannedLocation":\#(place)}"#)
        }
        try setStops([(otherTask, Self.otherPlace), (id, Self.place)])
    }

    /// Finishes the van's first stop, so that the shipment's stop is next.
    func serveFirstStop() throws {
        try end(otherTask, "SUCCEEDED")
        try setStops([(id, Self.place)])
    }

    /// Ends the shipment.
    func end(_ outcome: String) throws { try end(id, outcome) }

    /// Checks that both tasks are done and that the van has no stops left.
    /// - Returns: a description of the loss; nil if nothing is lost.
    func loss() throws -> String? {
        for task in [otherTask, id] {
            let answer = try calls.ask("GET", "tasks/\(task)")
            guard answer.contains(#""SUCCEEDED""#) else { return "the outcome of \(task): \(answer)" }
        }
        let answer = try calls.ask("GET", van)
        return answer.contains("taskId") || !answer.contains("200 OK") ? "the end of a stop: \(answer)" : nil
    }

    private func setStops(_ stops: [(task: String, place: String)]) throws {
        let segments = stops.map { #"{"stop":{"plannedLocation":\#($0.place),"state":"NEW","tasks":[{"taskId":"\#($0.task)"}]}}"# }
        try send(
            "PATCH", "\(van)?updateMask=remainingVehicleJourneySegments",
            #"{"remainingVehicleJourneySegments":[\#(segments.joined(separator: ","))]}"#)
    }

    private func end(_ task: String, _ outcome: String) throws {
        try send("PATCH", "tasks/\(task)?updateMask=taskOutcome", #"{"taskOutcome":"\#(outcome)"}"#)
    }

    private func send(_ method: String, _ path: String, _ body: String) throws {
        let answer = try calls.ask(method, path, body)
        try #require(answer.contains("200 OK"), "\(answer)")
    }
}

extension FaultScene {
    var shipment: FaultShipment { get throws { FaultShipment(id: id, calls: try calls) } }
}
