import ConsumerMap
import FleetEngine
import FleetEngineGRPC
import Foundation
import JourneySharing
import TerminalCanvas

/// Draws the map of a trip as text after each answer of the server: `DrawMap providers/P/trips/T 127.0.0.1:50051`
@main
struct DrawMap {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let name = try TripName(arguments.first ?? "providers/demo/trips/trip-1")
        let endpoint = try ServerEndpoint(arguments.dropFirst().first ?? "127.0.0.1:50051", security: .plaintext)
        let identity = ClientIdentity(role: .consumer, version: "1.0")
        try await withFleetEngineClient(endpoint: endpoint, identity: identity, tokens: nil) { client in
            await draw(name, client)
        }
    }

    @MainActor
    static func draw(_ name: TripName, _ client: any ConsumerClient) async {
        let time = SystemTimeSource()
        let model = TripService(client: client, time: time).tripModel(for: name)
        let view = MapView()
        view.show(JourneySharingSession(tripModel: model, time: time))
        let size = Size(columns: 80, rows: 22)
        for await update in model.updates {
            var canvas = Canvas(size: size)
            _ = view.draw(into: &canvas, at: Rectangle(column: 0, row: 0, columns: size.columns, rows: size.rows), now: time.now())
            print(canvas.text())
            if case .ended = update.kind { break }
        }
        view.hideAllSessions()
    }
}
