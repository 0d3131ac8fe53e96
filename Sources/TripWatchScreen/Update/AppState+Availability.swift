import ConsumerMap
import FleetEngine
import JourneySharing
import TerminalCanvas
package import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Returns the reason why a key does nothing now, as a sentence; nil if the key works, empty if no explanation is needed.
    package func disabledReason(_ action: AppAction) -> String? {
        // The action's own reason is more specific than the map's.
        ownReason(action) ?? (Self.cameraActions.contains(action) ? mapReason : nil)
    }

    private func ownReason(_ action: AppAction) -> String? {
        switch action {
        case .help, .panLeft, .panDown, .panUp, .panRight, .zoomIn, .zoomOut, .units, .redraw, .suspend, .quit, .back: return nil
        case .painter: return options.painters.count > 1 ? nil : "This terminal can show only ASCII characters."
        case .theme: return themeName.isEmpty ? "There is only one theme." : nil
        case .search where baseMap == nil && page?.trip == nil:
            return "There is no base map to search; restart with --basemap osm or --basemap FILE."
        case .search: return nil
        case .baseMap where options.asksForMap && !isMapAnswered: return nil
        case .baseMap: return baseMap == nil ? "There is no base map; restart with --basemap osm or --basemap FILE." : nil
        case .details where page == nil && (mapHost != nil || enlargementDetail != nil): return nil
        case .refresh where fleet != nil: return nil
        case .fitRoute where fleet != nil: return map.otherVehicles.isEmpty ? "There are no vehicles on the map yet." : nil
        case .refresh where mapHost != nil && (page == nil || mapTrouble != nil): return nil
        case .ownPosition where drive != nil || hasLeftOwnPosition && freeMap.ownPosition != nil:
            return "You are in the car" + naming(.centerVehicle) { "; press \($0) to see it" } + "."
        case .ownPosition: return map.ownPosition == nil ? "Your position is not known; restart with --here LAT,LNG." : nil
        case .nextMarker, .previousMarker: return themedMap.consumerMarkers(journeys).isEmpty ? "There are no markers yet." : nil
        case .openMarker where list != nil || booking != nil: return nil
        case .book: return bookingReason
        case .addTrip where list == nil:
            return "Open the trip list first" + naming(.tripList) { ": press \($0)" } + "."
        case .stopWatching where list == nil:
            return "Open the trip list first" + naming(.tripList) { ": press \($0)" } + "."
        case .addTrip: return options.addsTrips ? nil : "Trips and shipments cannot be added here."
        case .openMarker: return map.selectedMarker.map(themedMap.consumerMarkers(journeys).contains) == true ? nil : ""
        default:
            if let drive { return driveReason(action, drive) }
            if let shipment { return disabledReason(action, shipment) }
            return page.map { disabledReason(action, $0) } ?? "There is no trip here, only \(fleet == nil ? "a map" : "vehicles")."
        }
    }

    /// Actions that move the map or find a place on it.
    static let cameraActions: Set<AppAction> = [
        .panLeft, .panDown, .panUp, .panRight, .zoomIn, .zoomOut, .fitRoute, .follow, .centerVehicle, .ownPosition, .search,
    ]

    /// The reason why the map cannot be moved, as a sentence; nil if it can. A map that is moved before it shows its trip would stay
    /// where it is, far from the trip.
    var mapReason: String? {
        if list != nil { return nil }
        if ScreenLayout(self, page: page).map.isEmpty { return "A map needs a larger terminal." }
        return isBeforeItsPlace ? "There is nothing on the map yet." : nil
    }

    private func disabledReason(_ action: AppAction, _ page: TripPage) -> String? {
        switch action {
        case .nextTrip, .previousTrip, .selectTrip: return pageCount > 1 ? nil : "There is only one trip."
        case .follow, .centerVehicle:
            if page.status.isFinal { return "The \(page.kind.subject) has ended." }
            return page.journey.vehicle == nil && action == .centerVehicle ? "No position from the \(page.kind.vehicle) yet." : nil
        case .fitRoute: return map.consumerMarkers(journeys).isEmpty ? "No route is known yet." : nil
        case .stops, .share: return page.trip == nil ? "Nothing is known about the \(page.kind.subject) yet." : nil
        case .refresh: return page.status.isFinal ? "The \(page.kind.subject) has ended: there are no more updates." : nil
        case .copyMessage: return page.failure == nil ? "There is no error to copy." : nil
        case .cancelTrip: return cancelReason(page)
        case .shareLink: return linkReason(page)
        case .replayRide:
            return pages.allSatisfy(\.status.isFinal) ? nil : "This ride can be replayed when the other trips have ended."
        default: return nil
        }
    }

    private func linkReason(_ page: TripPage) -> String? {
        if list != nil { return "This works only on a trip's page" + naming(.openMarker) { "; press \($0) to open it" } + "." }
        if let reason = options.noLinkReason { return reason }
        if case .served = page.link { return nil }
        if page.status.isFinal { return "The trip has ended." }
        return page.trip == nil ? "Nothing is known about the trip yet." : nil
    }

    private func cancelReason(_ page: TripPage) -> String? {
        if page.status == .canceled { return "The \(page.kind.subject) is already cancelled." }
        if page.status == .complete { return "The \(page.kind.subject) has ended." }
        if page.trip == nil { return "Nothing is known about the \(page.kind.subject) yet." }
        if case .unavailable(let reason) = options.cancelling { return reason }
        return nil
    }
}
