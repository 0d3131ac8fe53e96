import FleetEngine
import FleetEngineGRPC

/// Reads a trip once from a Fleet Engine over TLS, with a token: `ConnectClient providers/P/trips/T TOKEN`
@main
struct ConnectClient {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let name = try TripName(arguments.first ?? "providers/demo/trips/trip-1")
        let token = try FixedAccessToken(secret: arguments.dropFirst().first ?? "none", origin: "the command line")
        let endpoint = try ServerEndpoint("fleetengine.googleapis.com:443", security: .tls(caFile: nil))
        let tokens = AccessTokenCache(provider: token, time: SystemTimeSource())
        let identity = ClientIdentity(role: .consumer, version: "1.0")
        try await withFleetEngineClient(
            endpoint: endpoint, identity: identity, tokens: tokens, onCall: { print("\($0.rpc): \(Int($0.seconds * 1_000)) ms") }
        ) { client in
            do throws(FleetEngineError) {
                let trip = try await client.getTrip(GetTripRequest(name: name))
                print(trip.status.name, trip.pickupTime.map { "pickup \($0)" } ?? "no time yet")
            } catch {
                print(error.code.name, error.message)
            }
        }
    }
}
