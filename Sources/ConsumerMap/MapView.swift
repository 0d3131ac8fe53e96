public import FoundationEssentials
public import Geo
import JourneySharing
public import Navigation
public import TerminalCanvas
public import TerminalMap

/// Hears from a map (`GMTCMapViewDelegate`). Every method has a default.
@MainActor
public protocol MapViewDelegate: AnyObject {
    /// The map has been drawn for the first time and can be used.
    func mapViewDidInitialize(_ mapView: MapView)
    /// A marker was tapped: by the mouse, or picked by keys and entered.
    /// - Returns: true where that was handled; else the map goes to the marker.
    func mapView(_ mapView: MapView, didTapConsumerMarker marker: ConsumerMarker, markerType: MapViewMarkerType) -> Bool
}

extension MapViewDelegate {
    public func mapViewDidInitialize(_ mapView: MapView) {}
    /// False: the map goes to the marker.
    public func mapView(_ mapView: MapView, didTapConsumerMarker marker: ConsumerMarker, markerType: MapViewMarkerType) -> Bool { false }
}

/// A map that shows journeys (`GMTCMapView`), drawn into a rectangle of a canvas.
@MainActor
public final class MapView {
    /// Hears of taps and of the first frame; held weakly.
    public weak var delegate: (any MapViewDelegate)?
    /// Camera and styles; the SDK's names are members of this class too.
    public var map = JourneyMap()
    /// The base map, the painter and the colours.
    public var scene = MapScene()
    /// How the map is lit: `normal` takes the map's colours for light backgrounds, `lowLight` those for dark ones. Nil, as at the start,
    /// leaves the colours of ``scene`` alone; a style set there later stays until the lighting is set again.
    public var lightingMode: LightingMode? {
        didSet { if let lightingMode { scene.style = lightingMode == .lowLight ? .dark : .light } }
    }
    /// The sessions on the map, in the order in which they were shown.
    public private(set) var activeSessions: [JourneySharingSession] = []
    /// Restyles single markers; nil leaves all of them as the style coordinator says.
    public var markerCustomizer: MarkerCustomizer?
    private var customized = CustomizedMarkers()
    private let renderer = MapRenderer()
    private var isInitialized = false
    private var journeys: [JourneyTracker] = []
    private var frame = MapFrame()
    private var area = Rectangle.zero

    /// A view without sessions, over the whole world.
    public init() {}

    /// How the lines and markers of all sessions look.
    public var consumerMapStyleCoordinator: MapStyleCoordinator {
        get { map.styleCoordinator }
        set { map.styleCoordinator = newValue }
    }

    /// Whether the camera follows the vehicle and its next stop automatically; a move of the map by hand switches it off.
    public var isAllowCameraAutoUpdate: Bool {
        get { map.isAllowCameraAutoUpdate }
        set { map.isAllowCameraAutoUpdate = newValue }
    }

    /// Where the rider wants to get in, for booking. The map shows and fits it until the trip of a session is known.
    public var pickupLocation: Coordinate? {
        get { map.pickupLocation }
        set { map.pickupLocation = newValue }
    }

    /// Where the rider wants to get out, for booking. The map shows and fits it until the trip of a session is known.
    public var dropoffLocation: Coordinate? {
        get { map.dropoffLocation }
        set { map.dropoffLocation = newValue }
    }

    /// The same switch in the web SDK's words.
    public var automaticViewportMode: AutomaticViewportMode {
        get { isAllowCameraAutoUpdate ? .fitAnticipatedRoute : .none }
        set { isAllowCameraAutoUpdate = newValue == .fitAnticipatedRoute }
    }

    /// Draws a session from now on and listens to its model.
    public func show(_ session: JourneySharingSession) {
        guard !activeSessions.contains(where: { $0 === session }) else { return }
        activeSessions.append(session)
        session.start()
        map.resetCamera()
    }

    /// Takes a session off the map and stops listening for it.
    public func hide(_ session: JourneySharingSession) {
        guard let index = activeSessions.firstIndex(where: { $0 === session }) else { return }
        activeSessions.remove(at: index)
        session.stop()
    }

    /// Takes all sessions off the map and stops listening for them.
    public func hideAllSessions() {
        for session in activeSessions { session.stop() }
        activeSessions = []
    }

    /// Fits the journeys afresh and follows again.
    public func resetCamera() { map.resetCamera() }

    /// Goes to the user's own position, as the SDK's button does; nothing happens where that is not known.
    public func showMyLocation() {
        if let place = map.ownPosition { map.center(on: place, minimumZoom: 14) }
    }

    /// Draws the map at the moment `now`.
    @discardableResult
    public func draw(into canvas: inout Canvas, at rectangle: Rectangle, now: Date) -> MapFrame {
        area = canvas.clipped(rectangle)
        journeys = activeSessions.map { $0.journey(at: now) }
        map.resize(to: area.size)
        map.follow(journeys)
        let markers = map.allConsumerMarkers(journeys)
        map.markerVisibility = [:]
        scene.overlays = map.overlays(for: journeys)
        customized.apply(markerCustomizer, to: &scene.overlays, markers: markers, journeys: journeys)
        map.markerVisibility = customized.visibility
        frame = renderer.draw(scene, camera: map.camera, into: &canvas, at: area)
        if !isInitialized {
            isInitialized = true
            delegate?.mapViewDidInitialize(self)
        }
        return frame
    }

    /// A tap on a cell of the canvas that the map was last drawn into.
    /// - Returns: whether there was a marker.
    @discardableResult
    public func tap(at position: Position) -> Bool {
        guard area.contains(position), let marker = map.marker(at: position, of: frame, in: journeys) else { return false }
        tap(marker)
        return true
    }

    /// A tap on a marker that was picked otherwise.
    public func tap(_ marker: ConsumerMarker) {
        map.select(marker)
        let isHandled = delegate?.mapView(self, didTapConsumerMarker: marker, markerType: marker.type) ?? false
        if !isHandled, let place = map.coordinate(of: marker, in: journeys) { map.center(on: place) }
    }
}
