import FleetEngine
public import Geo
public import JourneySharing
public import TerminalCanvas
public import TerminalMap

/// The map of journeys as a plain value: camera, styles and what is chosen on it. The state behind a ``MapView``.
///
/// It draws nothing; it makes the scene that a `MapRenderer` draws, and answers which marker is at a place.
public struct JourneyMap: Sendable, Hashable {
    /// The part of the world that is shown; the methods here move it.
    public private(set) var camera: Camera
    /// How lines and markers look, by type.
    public var styleCoordinator = MapStyleCoordinator()
    /// The user's own position.
    public var ownPosition: Coordinate?
    /// Where the rider wants to get in. Shown until the trip of a journey is known.
    public var pickupLocation: Coordinate?
    /// Where the rider wants to get out. Shown until the trip of a journey is known.
    public var dropoffLocation: Coordinate?
    /// Vehicles beside those of the journeys, the least important first.
    public var otherVehicles: [OtherVehicle] = []
    /// The area of the base map: shown while there is no journey to follow.
    public var mapBounds: BoundingBox?
    /// The user's own position is fitted into the view where it is no further from the trip than this, or than twice the trip's length, metres.
    static let ownPositionMeters = 20_000.0
    /// Where a driven way comes so near to the pickup, the rider has got in, metres.
    static let pickupReachMeters = 300.0
    /// Whether markers and lines belong to a finished trip: then all stops are shown and the driven way is drawn as the route.
    public var isSummary = false { didSet { if isSummary != oldValue { autoCamera.reset() } } }
    /// Whether stops are joined by straight lines while no route is known.
    public var showsPreview = true
    /// The marker that is picked out, by keys or by a tap.
    public private(set) var selectedMarker: ConsumerMarker?
    /// Whether single markers are shown, where a customizer decides that for them and not for their type.
    var markerVisibility: [ConsumerMarker: Bool] = [:]
    /// The words beside the markers.
    public var labels = MarkerLabels()
    /// Whether the view is somewhere for a reason: there has been something to show, or it was moved by hand.
    public private(set) var isAtPlace = false
    private var autoCamera = AutoCamera()
    private var followed: Followed?

    /// What the camera was fitted to; another stop or another kind of leg is worth a fresh look.
    private struct Followed: Sendable, Hashable {
        var stop: Coordinate?
        var isForeign: Bool
        var hasVehicle: Bool
        var isWaiting: Bool
        var chosen: [Coordinate]
    }

    /// A map over a place until there is something to follow.
    public init(center: Coordinate = Coordinate(latitude: 0, longitude: 0), zoom: Double = 2, size: Size = .zero) {
        camera = Camera(center: center, zoom: zoom, size: size)
    }

    /// Whether the camera follows the vehicle and its next stop automatically; a move of the map by hand switches it off.
    public var isAllowCameraAutoUpdate: Bool {
        get { autoCamera.isEnabled }
        set { autoCamera.isEnabled = newValue }
    }
}

// MARK: - Camera

extension JourneyMap {
    /// Gives the map another size in cells, or cells of another shape (height divided by width).
    public mutating func resize(to size: Size, cellAspect: Double? = nil) {
        guard size != camera.size || (cellAspect ?? camera.cellAspect) != camera.cellAspect else { return }
        let wasEmpty = camera.size.columns == 0 || camera.size.rows == 0
        let isOtherShape = abs(size.columns - camera.size.columns) > 1 || abs(size.rows - camera.size.rows) > 4
        camera = camera.resized(to: size, cellAspect: cellAspect)
        if isAllowCameraAutoUpdate && (wasEmpty || isOtherShape) { autoCamera.reset() }
    }

    /// Moves the camera after the journeys, if it may.
    public mutating func follow(_ journeys: [JourneyTracker]) {
        let first = journeys.first
        let now = Followed(
            stop: first?.nextStop, isForeign: first?.isNextStopForeign ?? false, hasVehicle: first?.vehicle != nil,
            isWaiting: first?.trip?.status.isAtStop ?? false, chosen: chosenMarkers(journeys).map(\.coordinate))
        if now != followed {
            followed = now
            if isAllowCameraAutoUpdate { autoCamera.reset() }
        }
        let target = target(journeys)
        if !target.isEmpty { isAtPlace = true }
        camera = autoCamera.camera(for: target, from: camera)
    }

    /// Fits afresh and follows again (the SDK's `resetCamera`).
    public mutating func resetCamera() { autoCamera.reset() }

    /// Moves the view by cells, by hand: the camera stops following.
    public mutating func pan(columns: Int, rows: Int) {
        noteManualMove()
        camera = camera.panned(columns: columns, rows: rows)
    }

    /// Changes the zoom by hand; the place at `position` stays there, nil for the middle.
    public mutating func zoom(by steps: Double, about position: Position? = nil) {
        guard steps.isFinite else { return }
        noteManualMove()
        let zoom = camera.zoom + steps
        camera = position.map { camera.zoomed(to: zoom, about: $0) } ?? camera.zoomed(to: zoom)
    }

    /// Shows whole journeys, from the start of the driven way to the last stop, and stays there.
    public mutating func fit(_ journeys: [JourneyTracker]) {
        noteManualMove()
        guard let box = BoundingBox(coordinates(journeys) + (journeys.isEmpty ? otherVehicles.map(\.coordinate) : [])) else { return }
        camera = camera.fitted(to: box, margins: Self.margins(camera.size))
    }

    /// Puts a place into the middle and stays there.
    public mutating func center(on place: Coordinate, minimumZoom: Double = 1) {
        guard place.isValid else { return }
        noteManualMove()
        camera = camera.zoomed(to: max(camera.zoom, minimumZoom)).centered(on: place)
    }

    private mutating func noteManualMove() {
        autoCamera.noteManualMove()
        isAtPlace = true
    }

    private func target(_ journeys: [JourneyTracker]) -> AutoCamera.Target {
        if isSummary { return AutoCamera.Target(others: ride(journeys)) }
        let ahead = journeys.flatMap { JourneyLines($0, isSummary: false).lines.filter { $0.role == .ahead }.flatMap(\.route.coordinates) }
        let first = journeys.first
        let vehicle = first?.vehicle?.coordinate
        return AutoCamera.Target(
            vehicle: vehicle, headingDegrees: first?.vehicle?.headingDegrees, nextStop: vehicle == nil ? nil : first?.nextStop,
            routeAhead: vehicle == nil ? [] : ahead,
            others: vehicle == nil ? others(journeys) : [])
    }

    /// The places to show while there is no vehicle.
    private func others(_ journeys: [JourneyTracker]) -> [Coordinate] {
        let trip = coordinates(journeys)
        if trip.contains(where: \.isValid) { return trip + [ownPosition].compactMap { $0 }.filter { isNear($0, journeys) } }
        if let ownPosition { return [ownPosition] }
        guard let mapBounds else { return [] }
        return [
            Coordinate(latitude: mapBounds.south, longitude: mapBounds.west), mapBounds.center,
            Coordinate(latitude: mapBounds.north, longitude: Coordinate.wrappedLongitude(mapBounds.east)),
        ]
    }

    /// A position far from the trip would leave nothing of the trip to be seen beside it.
    private func isNear(_ place: Coordinate, _ journeys: [JourneyTracker]) -> Bool {
        let markers = journeys.flatMap { $0.markers(labels: labels, isSummary: isSummary) } + chosenMarkers(journeys)
        let stops = markers.map(\.coordinate).filter(\.isValid)
        guard let nearest = stops.map({ $0.distanceMeters(to: place) }).min() else { return false }
        let length = zip(stops, stops.dropFirst()).reduce(0) { $0 + $1.0.distanceMeters(to: $1.1) }
        return nearest <= max(Self.ownPositionMeters, 2 * length)
    }

    private func coordinates(_ journeys: [JourneyTracker]) -> [Coordinate] {
        journeys.flatMap { journey in
            JourneyLines(journey, isSummary: isSummary, showsPreview: showsPreview).lines.flatMap(\.route.coordinates)
                + journey.markers(labels: labels, isSummary: isSummary).map(\.coordinate)
        } + chosenMarkers(journeys).map(\.coordinate)
    }

    /// Where the riders were: the stops, and what was driven from the pickup on. The way of the car to them is no part of the ride. Of a cancelled
    /// trip what was driven counts, and not where it would have gone.
    private func ride(_ journeys: [JourneyTracker]) -> [Coordinate] {
        journeys.flatMap { journey -> [Coordinate] in
            let stops = journey.markers(labels: labels, isSummary: isSummary).filter { $0.marker.type != .vehicle }.map(\.coordinate)
            let driven = JourneyLines(journey, isSummary: isSummary, showsPreview: showsPreview).lines.flatMap(\.route.coordinates)
            guard let pickup = journey.trip?.pickupPoint, pickup.isValid else { return stops + driven }
            if journey.trip?.status == .canceled, journey.taken.lengthMeters > 0 { return driven + [pickup] }
            let distances = driven.map { $0.distanceMeters(to: pickup) }
            guard let nearest = distances.min(), nearest <= Self.pickupReachMeters, let start = distances.firstIndex(of: nearest) else {
                return stops + driven
            }
            return stops + driven[start...]
        }
    }

    private static func margins(_ size: Size) -> Camera.Margins {
        Camera.Margins(
            left: min(3, size.columns / 6), right: min(6, size.columns / 6), top: min(2, size.rows / 6), bottom: min(2, size.rows / 6))
    }
}

// MARK: - What is drawn

extension JourneyMap {
    /// Lines, markers and labels of the journeys in the styles that are set.
    public func overlays(for journeys: [JourneyTracker]) -> MapOverlays {
        var overlays = MapOverlays()
        for journey in journeys {
            for line in JourneyLines(journey, isSummary: isSummary, showsPreview: showsPreview).lines {
                overlays.polylines.append(
                    PolylineOverlay(
                        route: line.route, role: line.role, style: styleCoordinator.polylineStyleOptions(polylineType: line.type)))
            }
        }
        overlays.markers = markerOverlays(journeys)
        return overlays
    }

    private func markerOverlays(_ journeys: [JourneyTracker]) -> [MarkerOverlay] {
        let trips = journeys.flatMap { $0.markers(labels: labels, isSummary: isSummary) } + chosenMarkers(journeys)
        return (otherVehicles.map(\.marker) + trips + [ownMarker(journeys)].compactMap { $0 }).map(overlay)
    }

    /// The places of a trip that is not booked yet, the weakest first.
    private func chosenMarkers(_ journeys: [JourneyTracker]) -> [JourneyMarker] {
        guard journeys.allSatisfy({ $0.trip == nil }) else { return [] }
        func marker(_ place: Coordinate?, _ type: MapViewMarkerType, _ style: CustomizableMarkerType, _ icon: MarkerIcon, _ label: String)
            -> JourneyMarker?
        {
            guard let place, place.isValid else { return nil }
            return JourneyMarker(
                marker: ConsumerMarker(trip: nil, type: type), coordinate: place, icon: icon, style: style, label: label)
        }
        return [
            marker(dropoffLocation, .tripDropoffPoint, .tripDropoffPoint, .destination, labels.dropoff),
            marker(pickupLocation, .tripPickupPoint, .tripPickupPoint, .pickup, labels.pickup),
        ].compactMap { $0 }
    }

    private func overlay(_ marker: JourneyMarker) -> MarkerOverlay {
        var style = styleCoordinator.markerStyleOptions(markerType: marker.style)
        if marker.marker == selectedMarker { style.attributes.insert(.reverse) }
        style.isVisible = isVisible(marker)
        return MarkerOverlay(
            id: marker.marker.overlayID, coordinate: marker.coordinate, headingDegrees: marker.headingDegrees, icon: marker.icon,
            style: style,
            strength: marker.style == .tripVehicle ? .vehicle : .place, label: marker.label)
    }

    /// The user's own position, unless a pickup stands there already.
    private func ownMarker(_ journeys: [JourneyTracker]) -> JourneyMarker? {
        guard let ownPosition, ownPosition.isValid else { return nil }
        let booked = journeys.compactMap(\.trip).filter { $0.status.isBeforePickup || isSummary }.compactMap(\.pickupPoint)
        let chosen = chosenMarkers(journeys).filter { $0.style == .tripPickupPoint }.map(\.coordinate)
        guard !(booked + chosen).contains(where: { $0.distanceMeters(to: ownPosition) < JourneyTracker.samePlaceMeters }) else {
            return nil
        }
        return JourneyMarker(
            marker: ConsumerMarker(trip: nil, type: .unknown), coordinate: ownPosition, icon: .ownPosition, style: .unknown,
            label: labels.ownPosition)
    }
}

extension MarkerIcon {
    /// Where the user is.
    public static let ownPosition = MarkerIcon(text: "✚", ascii: "+")
}

// MARK: - Markers

extension JourneyMap {
    /// All markers that are shown, in the order in which keys go through them: the vehicle, then the stops as they come, then other vehicles,
    /// then the user's own position.
    public func consumerMarkers(_ journeys: [JourneyTracker]) -> [ConsumerMarker] {
        placedMarkers(journeys).filter(isVisible).map(\.marker)
    }

    /// All markers, hidden ones included.
    func allConsumerMarkers(_ journeys: [JourneyTracker]) -> [ConsumerMarker] { placedMarkers(journeys).map(\.marker) }

    private func isVisible(_ marker: JourneyMarker) -> Bool {
        markerVisibility[marker.marker] ?? styleCoordinator.markerStyleOptions(markerType: marker.style).isVisible
    }

    /// Where a marker stands.
    public func coordinate(of marker: ConsumerMarker, in journeys: [JourneyTracker]) -> Coordinate? {
        placedMarkers(journeys).first { $0.marker == marker }?.coordinate
    }

    private func placedMarkers(_ journeys: [JourneyTracker]) -> [JourneyMarker] {
        journeys.flatMap { $0.markers(labels: labels, isSummary: isSummary).reversed() } + chosenMarkers(journeys).reversed()
            + otherVehicles.map(\.marker) + [ownMarker(journeys)].compactMap { $0 }
    }

    /// The marker whose icon is at or next to a cell of the map, the topmost of several; never a hidden one.
    ///
    /// - Parameter painter: the painter of the map.
    public func marker(at position: Position, in journeys: [JourneyTracker], painter: Painter = .braille) -> ConsumerMarker? {
        var frame = MapFrame()
        frame.markers = MapOverlays(markers: markerOverlays(journeys)).placedMarkers(camera: camera, painter: painter)
        return marker(at: position, of: frame, in: journeys)
    }

    /// The marker at or next to a cell of a canvas that the map was drawn on.
    func marker(at position: Position, of frame: MapFrame, in journeys: [JourneyTracker]) -> ConsumerMarker? {
        guard let id = frame.marker(at: position) else { return nil }
        return allConsumerMarkers(journeys).first { $0.overlayID == id }
    }

    /// Picks a marker out, which is drawn reversed; nil picks none.
    public mutating func select(_ marker: ConsumerMarker?) { selectedMarker = marker }

    /// Picks the marker after (1) or before (−1) the present one.
    public mutating func selectMarker(offset: Int, in journeys: [JourneyTracker]) {
        let markers = consumerMarkers(journeys)
        guard !markers.isEmpty else { return selectedMarker = nil }
        guard let current = selectedMarker.flatMap(markers.firstIndex) else {
            return selectedMarker = offset < 0 ? markers.last : markers.first
        }
        let count = markers.count
        selectedMarker = markers[((current + offset % count) % count + count) % count]
    }
}
