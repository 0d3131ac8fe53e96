import FleetEngine
import FleetEngineGRPC
import Foundation
import JourneySharing

/// Prints the events of a trip until the trip ends.
@MainActor
final class Printer: TripModelSubscriber {
    func tripModel(_ tripModel: TripModel, didUpdateTripStatus status: TripStatus) { print("status", status.name) }

    func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint time: Date?) {
        print("arrives", time?.formatted(.iso8601) ?? "unknown")
    }

    func tripModel(_ tripModel: TripModel, didFailUpdateTrip failure: PollFailure) { print("trouble", failure.error.code.name) }
}

/// Follows a trip and prints its events: `FollowTrip providers/P/trips/T 127.0.0.1:50051`
@main
struct FollowTrip {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let name = try TripName(arguments.first ?? "providers/demo/trips/trip-1")
        let endpoint = try ServerEndpoint(arguments.dropFirst().first ?? "127.0.0.1:50051", security: .plaintext)
        let identity = ClientIdentity(role: .consumer, version: "1.0")
        try await withFleetEngineClient(endpoint: endpoint, identity: identity, tokens: nil) { client in
            await follow(name, client)
        }
    }

    @MainActor
    static func follow(_ name: TripName, _ client: any ConsumerClient) async {
        let model = TripService(client: client, time: SystemTimeSource()).tripModel(for: name)
        let printer = Printer()
        model.register(printer)
        for await update in model.updates { if case .ended = update.kind { break } }
        model.unregister(printer)
    }
}
