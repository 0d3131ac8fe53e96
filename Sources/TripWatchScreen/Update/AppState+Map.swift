import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Share of the map's size by which one key press moves the map. It is large, because each press takes time on a slow connection.
    private static let panShare = 0.2
    private static let zoomStep = 0.5

    mutating func performOnMap(_ action: AppAction) {
        let columns = max(1, Int(Double(map.camera.size.columns) * Self.panShare))
        let rows = max(1, Int(Double(map.camera.size.rows) * Self.panShare))
        switch action {
        case .panLeft: map.pan(columns: -columns, rows: 0)
        case .panRight: map.pan(columns: columns, rows: 0)
        case .panUp: map.pan(columns: 0, rows: -rows)
        case .panDown: map.pan(columns: 0, rows: rows)
        case .zoomIn: map.zoom(by: Self.zoomStep)
        case .zoomOut: map.zoom(by: -Self.zoomStep)
        case .fitRoute: map.fit(journeys)
        case .follow: toggleFollowing()
        case .centerVehicle: if let place = journeys.first?.vehicle?.coordinate ?? map.shipment?.vehicle { map.center(on: place) }
        case .ownPosition: if let place = map.ownPosition { map.center(on: place, minimumZoom: 14) }
        case .nextMarker: selectMarker(1)
        case .previousMarker: selectMarker(-1)
        case .openMarker: if let marker = map.selectedMarker { tap(marker) }
        default: break
        }
    }

    private mutating func toggleFollowing() {
        map.isAllowCameraAutoUpdate.toggle()
        say(map.isAllowCameraAutoUpdate ? "Follow: on" : "Follow: off; the map stays where it is")
    }

    private mutating func selectMarker(_ offset: Int) {
        var themed = themedMap
        themed.selectMarker(offset: offset, in: journeys)
        map.select(themed.selectedMarker)
        if let marker = map.selectedMarker { say(markerWords(marker)) }
    }

    /// Selects a marker, describes it, and moves the map to it.
    mutating func tap(_ marker: ConsumerMarker) {
        map.select(marker)
        if mapReason == nil, let place = map.coordinate(of: marker, in: journeys) { map.center(on: place) }
        say(markerWords(marker))
    }

    /// Describes a marker in one line.
    func markerWords(_ marker: ConsumerMarker) -> String {
        if let words = otherVehicleWords(marker) { return words }
        if let words = bookingMarkerWords(marker) ?? shipmentMarkerWords(marker) { return words }
        guard let page, let trip = page.trip else { return drive == nil ? "Your position" : driveMarkerWords(marker) }
        switch marker.type {
        case .vehicle: return [page.kind.vehicleTitle, carName(page), freshnessLine(page)].filter { !$0.isEmpty }.joined(separator: " ∙ ")
        case .tripPickupPoint: return stopWords(page.kind.stop(.pickup), page.names.pickup, StopList.pickupTime(page, trip))
        case .tripDropoffPoint: return stopWords("Drop-off", page.names.dropoff, Timeline.dropoffTime(page))
        case .intermediateDestination:
            let name = page.names.stopPlace(marker.index)
            return stopWords("Stop \(marker.index + 1)", name, StopList.stopTime(page, trip, index: marker.index))
        case .unknown: return "Your position"
        }
    }

    private func stopWords(_ kind: String, _ name: String, _ time: Date?) -> String {
        ([kind, name].filter { !$0.isEmpty } + [time.map { clock($0) }].compactMap { $0 }).joined(separator: " ∙ ")
    }

    mutating func handle(_ mouse: MouseEvent) -> [AppEffect] {
        guard overlay == nil, !isTooSmall else { return [] }
        if list != nil {
            handleInList(mouse)
            return []
        }
        let layout = ScreenLayout(self, page: page)
        if mouse.action == .press(.left), layout.footer.contains(mouse.position) {
            let column = mouse.position.column - layout.footer.column
            return FooterHints(self, page: page).key(at: column, columns: layout.footer.columns).map { press($0) } ?? []
        }
        let area = layout.map
        let inside = Position(column: mouse.position.column - area.column, row: mouse.position.row - area.row)
        if case .release = mouse.action { dragFrom = nil }
        guard area.contains(mouse.position), !isBeforeItsPlace else { return [] }
        switch mouse.action {
        case .press(.left):
            dragFrom = mouse.position
            if let marker = themedMap.marker(at: inside, in: journeys, painter: painter) {
                tap(marker)
            } else if let name = options.ground?.name(at: inside, camera: map.camera) {
                say(name)
            }
        case .drag(.left):
            if let from = dragFrom, from != mouse.position {
                map.pan(columns: from.column - mouse.position.column, rows: from.row - mouse.position.row)
            }
            dragFrom = mouse.position
        case .scroll(.up): map.zoom(by: Self.zoomStep, about: inside)
        case .scroll(.down): map.zoom(by: -Self.zoomStep, about: inside)
        case .press, .drag, .release, .scroll: break
        }
        return []
    }
}
