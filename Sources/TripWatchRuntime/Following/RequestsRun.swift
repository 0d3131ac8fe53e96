package import ProgramSurroundings
import TripRecording
import TripWatchWords

/// Prints the calls of a recording, and what each of them changed.
package struct RequestsRun: Sendable {
    /// The path of the recording.
    package var file: String
    /// The name or id of the trip, if the recording has several.
    package var trip: String?
    package var output: OutputSettings

    package init(file: String, trip: String?, output: OutputSettings) {
        self.file = file
        self.trip = trip
        self.output = output
    }

    @MainActor
    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let streams = surroundings.streams
        var lines = RequestLines(isJSON: output.style == .json, secondsFromGMT: LocalZone.secondsFromGMT)
        let arrivals: [ArrivalRecord]
        if let shipment = try RecordedFile.shipment(file) {
            shipment.eachCall { call in lines.lines(call).forEach { streams.print($0) } }
            arrivals = ArrivalRecord(shipment.answers.lazy.map { $0.shipment }).map { [$0] } ?? []
        } else {
            let recorded = try RecordedFile.read(file, trip: trip, streams)
            recorded.eachCall { call in lines.lines(call).forEach { streams.print($0) } }
            arrivals = await Self.arrivals(in: recorded)
        }
        lines.summary(arrivals).forEach { streams.print($0) }
        return .success
    }

    @MainActor
    private static func arrivals(in recorded: RecordedTrip) async -> [ArrivalRecord] {
        guard recorded.onlyFailure == nil else { return [] }
        var arrivals = RideArrivals(recorded.name)
        await recorded.eachUpdate { arrivals.observe($0) }
        return arrivals.records
    }
}
