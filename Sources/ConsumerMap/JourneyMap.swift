import FleetEngine
public import Geo
public import JourneySharing
public import TerminalCanvas
public import TerminalMap

/// The map of journeys as a plain value: camera, styles and selection. It is the state of a ``MapView``.
///
/// It does not draw. It creates the lines and markers that a `MapRenderer` draws, and finds the marker at a given cell of the map.
public struct JourneyMap: Sendable, Hashable {
    /// The camera, which determines the visible part of the world. The methods here move it.
    public private(set) var camera: Camera
    /// The styles of lines and markers, by type.
    public var styleCoordinator = MapStyleCoordinator()
    /// The user's own position.
    public var ownPosition: Coordinate?
    /// The requested pickup point, shown until the trip of a journey is known.
    public var pickupLocation: Coordinate?
    /// The requested drop-off point, shown until the trip of a journey is known.
    public var dropoffLocation: Coordinate?
    /// Vehicles that belong to no journey, the least important first.
    public var otherVehicles: [OtherVehicle] = []
    /// The shipment on a map without journeys.
    public var shipment: ShipmentOnMap?
    /// The area of the base map. The camera shows it until there is something else to show: a journey, a shipment or the user's own
    /// position.
    public var mapBounds: BoundingBox?
    /// While no vehicle is known, the view includes the user's own position if a marker of the trip is at most this far away, in metres.
    /// For a long trip, the limit is twice the trip's length.
    static let ownPositionMeters = 20_000.0
    /// A driven route that comes within this distance of the pickup, in metres, has reached the pickup.
    static let pickupReachMeters = 300.0
    /// Whether the map shows a finished trip. If true, all stops are shown, and the driven route is the main line.
    public var isSummary = false { didSet { if isSummary != oldValue { autoCamera.reset() } } }
    /// Whether stops are joined by straight lines while no route is known.
    public var showsPreview = true
    /// The marker selected with the keys or by a tap.
    public private(set) var selectedMarker: ConsumerMarker?
    /// For each marker that a customizer has styled, whether it is visible. This overrides the visibility of the marker's type.
    var markerVisibility: [ConsumerMarker: Bool] = [:]
    /// The texts beside the markers.
    public var labels = MarkerLabels()
    /// Whether the view has been fitted to something, such as a journey or the area of the base map, or has been moved by hand.
    public private(set) var isAtPlace = false
    private var autoCamera = AutoCamera()
    private var followed: Followed?

    /// The values to which the camera was last fitted. When one of them changes, the camera is fitted again.
    private struct Followed: Sendable, Hashable {
        var stop: Coordinate?
        var isForeign: Bool
        var hasVehicle: Bool
        var isWaiting: Bool
        var chosen: [Coordinate]
    }

    /// Creates a map with a fixed view, which is shown until there is something to show, such as a journey, or until the map is moved by
    /// hand.
    public init(center: Coordinate = Coordinate(latitude: 0, longitude: 0), zoom: Double = 2, size: Size = .zero) {
        camera = Camera(center: center, zoom: zoom, size: size)
    }

    /// Whether the camera follows the vehicle and its next stop automatically. Moving the map by hand sets this to false.
    public var isAllowCameraAutoUpdate: Bool {
        get { autoCamera.isEnabled }
        set { autoCamera.isEnabled = newValue }
    }
}

// MARK: - Camera

extension JourneyMap {
    /// Changes the size of the map in cells, or the cell aspect (height divided by width).
    public mutating func resize(to size: Size, cellAspect: Double? = nil) {
        guard size != camera.size || (cellAspect ?? camera.cellAspect) != camera.cellAspect else { return }
        let wasEmpty = camera.size.columns == 0 || camera.size.rows == 0
        let isOtherShape = abs(size.columns - camera.size.columns) > 1 || abs(size.rows - camera.size.rows) > 4
        camera = camera.resized(to: size, cellAspect: cellAspect)
        if isAllowCameraAutoUpdate && (wasEmpty || isOtherShape) { autoCamera.reset() }
    }

    /// Moves the camera to follow the journeys, unless following is off.
    public mutating func follow(_ journeys: [JourneyTracker]) {
        let first = journeys.first
        let now = Followed(
            stop: first?.nextStop, isForeign: first?.isNextStopForeign ?? false,
            hasVehicle: first?.vehicle != nil || shipment?.vehicle != nil,
            isWaiting: first?.trip?.status.isAtStop ?? false, chosen: chosenMarkers(journeys).map(\.coordinate))
        if now != followed {
            followed = now
            if isAllowCameraAutoUpdate { autoCamera.reset() }
        }
        let target = target(journeys)
        // The camera of a map without cells does not move.
        if !target.isEmpty, camera.size.columns > 0, camera.size.rows > 0 { isAtPlace = true }
        camera = autoCamera.camera(for: target, from: camera)
    }

    /// Fits the view to the journeys and resumes following them (the SDK's `resetCamera`).
    public mutating func resetCamera() { autoCamera.reset() }

    /// Moves the view by cells, as if by hand. The camera stops following.
    public mutating func pan(columns: Int, rows: Int) {
        noteManualMove()
        camera = camera.panned(columns: columns, rows: rows)
    }

    /// Changes the zoom, as if by hand. The location under `position` stays in the same cell of the screen; if `position` is nil, the
    /// centre of the view stays in place.
    public mutating func zoom(by steps: Double, about position: Position? = nil) {
        guard steps.isFinite else { return }
        noteManualMove()
        let zoom = camera.zoom + steps
        camera = position.map { camera.zoomed(to: zoom, about: $0) } ?? camera.zoomed(to: zoom)
    }

    /// Shows whole journeys, from the start of the driven route to the last stop. The camera stops following.
    public mutating func fit(_ journeys: [JourneyTracker]) {
        noteManualMove()
        guard let box = BoundingBox(coordinates(journeys) + (journeys.isEmpty ? otherVehicles.map(\.coordinate) : [])) else { return }
        camera = camera.fitted(to: box, margins: Self.margins(camera.size))
            .keeping(journeys.first?.vehicle?.coordinate ?? shipment?.vehicle)
    }

    /// Centres the view on a location. The camera stops following.
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
        if let shipment { return target(shipment) }
        let first = journeys.first
        let vehicle = first?.vehicle?.coordinate
        return AutoCamera.Target(
            vehicle: vehicle, headingDegrees: first?.vehicle?.headingDegrees, nextStop: vehicle == nil ? nil : first?.nextStop,
            routeAhead: vehicle == nil ? [] : ahead,
            others: vehicle == nil ? others(journeys) : [])
    }

    private func target(_ shipment: ShipmentOnMap) -> AutoCamera.Target {
        guard let vehicle = shipment.vehicle else { return AutoCamera.Target(others: others([])) }
        return AutoCamera.Target(
            vehicle: vehicle, headingDegrees: shipment.headingDegrees, nextStop: shipment.place, routeAhead: shipment.route)
    }

    /// Returns the locations to show while no vehicle is known.
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

    /// Whether a location is within the limit of ``ownPositionMeters``. If the view included a more distant location, the trip would be too
    /// small to see.
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
        } + chosenMarkers(journeys).map(\.coordinate) + (shipment?.coordinates ?? [])
    }

    /// Returns the coordinates of the ride: the stops, and the route driven since the pickup. If the driven route has no point within
    /// ``pickupReachMeters`` of the pickup, the whole driven route is included. For a cancelled trip with a driven route, the result is
    /// that route and the pickup.
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

// MARK: - Overlays

extension JourneyMap {
    /// Creates the lines, markers and labels of the journeys in their styles.
    public func overlays(for journeys: [JourneyTracker]) -> MapOverlays {
        var overlays = MapOverlays()
        for journey in journeys {
            for line in JourneyLines(journey, isSummary: isSummary, showsPreview: showsPreview).lines {
                overlays.polylines.append(
                    PolylineOverlay(
                        route: line.route, role: line.role, style: styleCoordinator.polylineStyleOptions(polylineType: line.type)))
            }
        }
        let ahead = styleCoordinator.polylineStyleOptions(polylineType: .activeRoute)
        overlays.polylines += [shipment?.line(ahead)].compactMap { $0 }
        overlays.markers = markerOverlays(journeys)
        return overlays
    }

    private func markerOverlays(_ journeys: [JourneyTracker]) -> [MarkerOverlay] {
        let trips = journeys.flatMap { $0.markers(labels: labels, isSummary: isSummary) } + chosenMarkers(journeys)
        let more = [shipment?.vehicleMarker(labels), ownMarker(journeys)].compactMap { $0 }
        return (otherVehicles.map(\.marker) + trips + more).map(overlay)
    }

    /// Returns the markers of the requested stops and of a shipment's place, the least important first; empty once a trip is known.
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
            marker(pickupLocation, .tripPickupPoint, .tripPickupPoint, .pickup, labels.pickup), shipment?.placeMarker(labels),
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

    /// Returns the marker of the user's own position. Nil if the position is unknown or invalid, or if a shown pickup is less than
    /// `samePlaceMeters` from it.
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
    /// The icon of the user's own position.
    public static let ownPosition = MarkerIcon(text: "✚", ascii: "+")
}

// MARK: - Markers

extension JourneyMap {
    /// Returns all visible markers, in the order in which keys select them: the vehicle, the stops in their order, other vehicles, and the
    /// user's own position.
    public func consumerMarkers(_ journeys: [JourneyTracker]) -> [ConsumerMarker] {
        placedMarkers(journeys).filter(isVisible).map(\.marker)
    }

    /// Returns all markers, including hidden ones.
    func allConsumerMarkers(_ journeys: [JourneyTracker]) -> [ConsumerMarker] { placedMarkers(journeys).map(\.marker) }

    private func isVisible(_ marker: JourneyMarker) -> Bool {
        markerVisibility[marker.marker] ?? styleCoordinator.markerStyleOptions(markerType: marker.style).isVisible
    }

    /// Returns the position of a marker; nil if the map does not have this marker.
    public func coordinate(of marker: ConsumerMarker, in journeys: [JourneyTracker]) -> Coordinate? {
        placedMarkers(journeys).first { $0.marker == marker }?.coordinate
    }

    private func placedMarkers(_ journeys: [JourneyTracker]) -> [JourneyMarker] {
        [shipment?.vehicleMarker(labels)].compactMap { $0 }
            + journeys.flatMap { $0.markers(labels: labels, isSummary: isSummary).reversed() } + chosenMarkers(journeys).reversed()
            + otherVehicles.map(\.marker) + [ownMarker(journeys)].compactMap { $0 }
    }

    /// Returns the visible marker whose icon is at or next to a cell of the map. If there are several, it returns the nearest, and of
    /// equally near markers the topmost.
    ///
    /// - Parameter painter: the painter of the map.
    public func marker(at position: Position, in journeys: [JourneyTracker], painter: Painter = .braille) -> ConsumerMarker? {
        var frame = MapFrame()
        frame.markers = MapOverlays(markers: markerOverlays(journeys)).placedMarkers(camera: camera, painter: painter)
        return marker(at: position, of: frame, in: journeys)
    }

    /// Returns the marker at or next to a cell of the canvas on which the map was drawn.
    func marker(at position: Position, of frame: MapFrame, in journeys: [JourneyTracker]) -> ConsumerMarker? {
        guard let id = frame.marker(at: position) else { return nil }
        return allConsumerMarkers(journeys).first { $0.overlayID == id }
    }

    /// Selects a marker, which is then drawn in reversed colours; if nil, no marker is selected.
    public mutating func select(_ marker: ConsumerMarker?) { selectedMarker = marker }

    /// Selects the marker after (1) or before (−1) the current one.
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
