import ConsumerMap
package import FleetEngine
import FoundationEssentials
package import Geo
import TerminalCanvas
import TerminalMap
import TripWatchWords

extension AppState {
    /// The area that the map shows. The program requests the vehicles in this area.
    package var window: BoundingBox {
        let camera = map.camera
        let last = Position(column: max(0, camera.size.columns - 1), row: max(0, camera.size.rows - 1))
        let (northWest, southEast) = (camera.coordinate(at: Position(column: 0, row: 0)), camera.coordinate(at: last))
        return BoundingBox(south: southEast.latitude, west: northWest.longitude, north: northWest.latitude, east: southEast.longitude)
    }

    /// The pickup of the trip in front, and the trip's name. Nil if there is no such trip, if its pickup is unknown, if it has a vehicle,
    /// or if it has ended.
    package var waitingPlace: (trip: TripName, place: Coordinate)? {
        guard let page, let trip = page.trip, trip.vehicleID == nil, !trip.status.isFinal, let place = trip.pickupPoint else { return nil }
        return (page.name, place)
    }

    /// Applies news about vehicles that are not assigned to any of the trips on the screen.
    /// - Parameter trip: the trip whose rider waits for one of the vehicles; nil for a map that shows only the fleet.
    mutating func apply(_ news: FleetNews, for trip: TripName?) {
        if let trip {
            guard let index = place(of: trip) else { return }
            var fleet = pages[index].fleet
            fleet.apply(pages[index].trip?.vehicleID == nil ? news : .ended, at: now)
            pages[index].fleet = fleet
            pages[index].map.otherVehicles = fleet.markers(now: now)
            // A failure is not shown to a rider, because free cars near the pickup are only additional information.
            return
        }
        guard var fleet else { return }
        let (before, isFirst) = (fleet.failure, fleet.answeredAt == nil)
        fleet.apply(news, at: now)
        self.fleet = fleet
        freeMap.otherVehicles = fleet.markers(now: now)
        if case .vehicles = news {
            if isFirst, options.fitsFleet { freeMap.fit([]) }
            if before != nil { say("The server is answering again.") } else if notice?.isWaiting == true { notice = nil }
        }
        if case .failure(let error) = news, before?.code != error.code { say(FleetWords.sentence(error)) }
    }

    /// Describes the marker of a vehicle without a trip in one line; nil for other markers.
    func otherVehicleWords(_ marker: ConsumerMarker) -> String? {
        guard marker.trip == nil, marker.type == .vehicle else { return nil }
        return (page?.fleet ?? fleet)?.vehicle(number: marker.index).map { FleetWords.line($0, now: now) }
    }
}
