import ConsumerMap
package import FleetEngine
import FoundationEssentials
package import Geo
import TerminalCanvas
import TerminalMap

extension AppState {
    /// The part of the world that is seen, for who asks for the vehicles in it.
    package var window: BoundingBox {
        let camera = map.camera
        let last = Position(column: max(0, camera.size.columns - 1), row: max(0, camera.size.rows - 1))
        let (northWest, southEast) = (camera.coordinate(at: Position(column: 0, row: 0)), camera.coordinate(at: last))
        return BoundingBox(south: southEast.latitude, west: northWest.longitude, north: northWest.latitude, east: southEast.longitude)
    }

    /// Where the rider in front waits for a car, and for which trip; nil where nobody does.
    package var waitingPlace: (trip: TripName, place: Coordinate)? {
        guard let page, let trip = page.trip, trip.vehicleID == nil, !trip.status.isFinal, let place = trip.pickupPoint else { return nil }
        return (page.name, place)
    }

    /// Takes in what was heard of vehicles beside those of the trips.
    /// - Parameter trip: whose rider waits for one of them; nil for a map of the fleet alone.
    mutating func apply(_ news: FleetNews, for trip: TripName?) {
        if let trip {
            guard let index = place(of: trip) else { return }
            var fleet = pages[index].fleet
            fleet.apply(pages[index].trip?.vehicleID == nil ? news : .ended, at: now)
            pages[index].fleet = fleet
            pages[index].map.otherVehicles = fleet.markers(now: now)
            // A rider is told nothing of cars that may not be seen: they were never promised.
            return
        }
        guard var fleet else { return }
        let (before, isFirst) = (fleet.failure, fleet.answeredAt == nil)
        fleet.apply(news, at: now)
        self.fleet = fleet
        freeMap.otherVehicles = fleet.markers(now: now)
        if case .vehicles = news {
            if isFirst, options.fitsFleet { freeMap.fit([]) }
            if before != nil { say("The server answers again.") } else if notice?.isWaiting == true { notice = nil }
        }
        if case .failure(let error) = news, before?.code != error.code { say(FleetWords.sentence(error)) }
    }

    /// What a marker of a vehicle of no trip is, in a line.
    func otherVehicleWords(_ marker: ConsumerMarker) -> String? {
        guard marker.trip == nil, marker.type == .vehicle else { return nil }
        return (page?.fleet ?? fleet)?.vehicle(number: marker.index).map { FleetWords.line($0, now: now) }
    }
}
