import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap

/// Everything on the map that the passing of time alone can change, and a count of all other changes: on two states with the same signature
/// it looks the same.
struct MapSignature: Hashable, Sendable {
    private let revision: Int
    private let camera: Camera
    /// Where the vehicle is, in half dots of the map: dots are rounded down in one place and to the nearest in another.
    private let halfDots: [Int]
    private let isLive: Bool
    private let isOffRoute: Bool
    private let texts: [String?]

    init(_ state: AppState) {
        revision = state.revision
        camera = state.map.camera
        // A list lies over the whole of it.
        let journey = state.list == nil ? state.journeys.first : nil
        isLive = journey?.isLive ?? true
        isOffRoute = journey?.vehicle?.isOffRoute ?? false
        // A vehicle is told its age only where it is old.
        let lastSeen = isLive ? nil : journey.flatMap { state.lastSeenWords($0) }
        texts = [state.list == nil ? state.mapNote : nil, lastSeen]
        guard let vehicle = journey?.vehicle else {
            halfDots = []
            return
        }
        let place = Viewport(camera: camera, painter: state.painter).dot(at: vehicle.coordinate)
        let sector = vehicle.headingDegrees.flatMap { HeadingSector(degrees: $0) }?.index ?? -1
        halfDots = [(2 * place.x).rounded(.down).clamped(), (2 * place.y).rounded(.down).clamped(), sector]
    }
}
