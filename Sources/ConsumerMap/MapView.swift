public import FoundationEssentials
public import Geo
import JourneySharing
public import Navigation
public import TerminalCanvas
public import TerminalMap

/// Receives the events of a map (`GMTCMapViewDelegate`). Every method has a default.
@MainActor
public protocol MapViewDelegate: AnyObject {
    /// The map was drawn for the first time and is ready for use.
    func mapViewDidInitialize(_ mapView: MapView)
    /// A marker was tapped with the mouse, or selected with keys and confirmed with Enter.
    /// - Returns: whether the delegate handled the tap. If not, the map moves to the marker.
    func mapView(_ mapView: MapView, didTapConsumerMarker marker: ConsumerMarker, markerType: MapViewMarkerType) -> Bool
}

extension MapViewDelegate {
    public func mapViewDidInitialize(_ mapView: MapView) {}
    /// Returns false, so that the map moves to the marker.
    public func mapView(_ mapView: MapView, didTapConsumerMarker marker: ConsumerMarker, markerType: MapViewMarkerType) -> Bool { false }
}

/// A map of journeys (`GMTCMapView`), drawn into a rectangle of a canvas.
@MainActor
public final class MapView {
    /// Receives taps and the first frame; held weakly.
    public weak var delegate: (any MapViewDelegate)?
    /// Camera, styles and selection. The members with the SDK's names are in this class itself.
    public var map = JourneyMap()
    /// The base map, the painter and the colours.
    public var scene = MapScene()
    /// The lighting of the map: `normal` sets the colours for light backgrounds, `lowLight` those for dark ones. Nil, the initial
    /// value, keeps the colours of ``scene``.
    public var lightingMode: LightingMode? {
        didSet { if let lightingMode { scene.style = lightingMode == .lowLight ? .dark : .light } }
    }
    /// The sessions on the map, in the order in which they were shown.
    public private(set) var activeSessions: [JourneySharingSession] = []
    /// Changes the style of individual markers; nil keeps the styles of the style coordinator.
    public var markerCustomizer: MarkerCustomizer?
    private var customized = CustomizedMarkers()
    private let renderer = MapRenderer()
    private var isInitialized = false
    private var journeys: [JourneyTracker] = []
    private var frame = MapFrame()
    private var area = Rectangle.zero

    /// Creates a view of the whole world, without sessions.
    public init() {}

    /// The styles of the lines and markers of all sessions.
    public var consumerMapStyleCoordinator: MapStyleCoordinator {
        get { map.styleCoordinator }
        set { map.styleCoordinator = newValue }
    }

    /// Whether the camera follows the vehicle and its next stop automatically. Moving the map by hand sets this to false.
    public var isAllowCameraAutoUpdate: Bool {
        get { map.isAllowCameraAutoUpdate }
        set { map.isAllowCameraAutoUpdate = newValue }
    }

    /// The requested pickup point, for booking. The map shows it, and the fitted view includes it, until the trip of a session is known.
    public var pickupLocation: Coordinate? {
        get { map.pickupLocation }
        set { map.pickupLocation = newValue }
    }

    /// The requested drop-off point, for booking. The map shows it, and the fitted view includes it, until the trip of a session is known.
    public var dropoffLocation: Coordinate? {
        get { map.dropoffLocation }
        set { map.dropoffLocation = newValue }
    }

    /// The same setting as ``isAllowCameraAutoUpdate``, under the web SDK's name.
    public var automaticViewportMode: AutomaticViewportMode {
        get { isAllowCameraAutoUpdate ? .fitAnticipatedRoute : .none }
        set { isAllowCameraAutoUpdate = newValue == .fitAnticipatedRoute }
    }

    /// Shows a session and listens to its model.
    public func show(_ session: JourneySharingSession) {
        guard !activeSessions.contains(where: { $0 === session }) else { return }
        activeSessions.append(session)
        session.start()
        map.resetCamera()
    }

    /// Removes a session from the map and stops listening to its model.
    public func hide(_ session: JourneySharingSession) {
        guard let index = activeSessions.firstIndex(where: { $0 === session }) else { return }
        activeSessions.remove(at: index)
        session.stop()
    }

    /// Removes all sessions from the map and stops listening to their models.
    public func hideAllSessions() {
        for session in activeSessions { session.stop() }
        activeSessions = []
    }

    /// Fits the view to the journeys and resumes following them.
    public func resetCamera() { map.resetCamera() }

    /// Moves the view to the user's own position, as the SDK's button does. Does nothing if that position is not known.
    public func showMyLocation() {
        if let place = map.ownPosition { map.center(on: place, minimumZoom: 14) }
    }

    /// Draws the map in its state at `now`.
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

    /// Handles a tap on a cell of the canvas.
    /// - Returns: whether there was a marker at or next to the cell.
    @discardableResult
    public func tap(at position: Position) -> Bool {
        guard area.contains(position), let marker = map.marker(at: position, of: frame, in: journeys) else { return false }
        tap(marker)
        return true
    }

    /// Selects a marker and reports it to the delegate as tapped. If the delegate does not handle the tap, the map moves to the
    /// marker.
    public func tap(_ marker: ConsumerMarker) {
        map.select(marker)
        let isHandled = delegate?.mapView(self, didTapConsumerMarker: marker, markerType: marker.type) ?? false
        if !isHandled, let place = map.coordinate(of: marker, in: journeys) { map.center(on: place) }
    }
}
