import ArgumentParser
import Geo
import TripWatchRuntime

/// A pickup, stop or drop-off on the command line: any form of `PlaceText`, or the name of a place on the base map.
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
