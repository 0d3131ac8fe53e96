import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap

/// All values of the map that can change because time passes, and the number of all other changes. Two states with equal signatures have
/// the same map.
struct MapSignature: Hashable, Sendable {
    private let revision: Int
    private let camera: Camera
    /// Position of the vehicle in half dots of the map, and the sector of its heading. Whole dots are too coarse, because some code
    /// rounds down to a dot, and some to the nearest dot.
    private let halfDots: [Int]
    private let isLive: Bool
    private let isOffRoute: Bool
    private let texts: [String?]

    init(_ state: AppState) {
        revision = state.revision
        camera = state.map.camera
        // A list covers the whole map.
        let journey = state.list == nil ? state.journeys.first : nil
        let shipment = state.list == nil ? state.map.shipment : nil
        isLive = journey?.isLive ?? shipment?.isLive ?? true
        isOffRoute = journey?.vehicle?.isOffRoute ?? false
        // The label with a position's age appears only when the position is old.
        let lastSeen = isLive ? nil : journey.flatMap { state.lastSeenWords($0) } ?? state.shipmentLastSeen
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
