import ArgumentParser
import Geo
import TripWatchRuntime

/// A place in a ride on the command line: any form of `PlaceText`, or a name on the base map.
struct RidePlace: ExpressibleByArgument {
    let place: MapPlace

    init?(argument: String) {
        if let written = PlaceText(argument) {
            place = .coordinate(written.coordinate, zoom: nil)
        } else if case .name(let name)? = MapPlace(argument) {
            place = .name(name)
        } else {
            return nil
        }
    }
}
