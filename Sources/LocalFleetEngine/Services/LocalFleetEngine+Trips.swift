package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import SwiftProtobuf

extension LocalFleetEngine {
    /// A trip as a consumer would get it now; nil where there is none.
    package func trip(_ name: TripName) -> Trip? {
        let request = WireGetTripRequest.with { $0.name = name.description }
        return (try? snapshot.getTrip(request, now: time.now())).map { Trip($0, name: name) }
    }

    /// The engine's clock.
    package nonisolated var clock: any TimeSource { time }
}
