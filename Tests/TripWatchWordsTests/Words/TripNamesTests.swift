import FleetEngine
import Geo
import Testing

@testable import TripWatchWords

@Suite("Names of stops")
struct TripNamesTests {
    private func names(_ attributes: [String: String], streets: [Coordinate: String] = [:]) throws -> TripNames {
        let name = try TripName(provider: "p", trip: "t")
        return TripNames(name, trip: trip(name, attributes), title: nil, streets: streets)
    }

    private func trip(_ name: TripName, _ attributes: [String: String]) -> Trip {
        var trip = Trip(name: name)
        trip.intermediateDestinations = [Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 1, longitude: 3)]
        trip.attributes = attributes
        return trip
    }

    @Test(
        "stops are named by the list, or else one by one; an invalid list names none; streets are only places",
        arguments: [
            (["stop_names": #"["Mill Lane","Quay"]"#], ["Mill Lane", "Quay"]),
            (["stop_names": #"["Mill Lane"]"#, "stop_2_name": "Pier"], ["Mill Lane", "Pier"]),
            (["stop_names": #"["","Quay"]"#], ["Elm Street", "Quay"]), (["stop_names": "Mill Lane"], ["Elm Street", ""]),
            (["stop_names": "[1,2]"], ["Elm Street", ""]), (["stop_names": #"["a\u001bb","Quay","Beyond"]"#], ["ab", "Quay"]),
        ])
    func stops(attributes: [String: String], places: [String]) throws {
        let named = try names(attributes, streets: [Coordinate(latitude: 1, longitude: 2): "Elm Street"])
        let stops = places.map { $0 == "Elm Street" ? "" : $0 }
        #expect(named.stops == stops && named.stopPlaces == places)
        #expect(named.stop(0) == stops.first && named.stop(2) == "" && named.stop(-1) == "")
        #expect(named.stopPlace(0) == places.first && named.stopPlace(2) == "" && named.stopPlace(-1) == "")
    }

    @Test("every voice has the stop's name, or its number if there is no room for a long name")
    func phrases() {
        let short = StatusPhrases.of(.enrouteToIntermediateDestination, stopName: "Mill Lane")
        #expect(short.phase == "On the way to Mill Lane" && short.brief == "to Mill Lane" && short.narrowStep == "To Mill Lane")
        #expect(short.spoken == "You are on the way to Mill Lane." && short.inSentence == "to Mill Lane")
        let waiting = StatusPhrases.of(.arrivedAtIntermediateDestination, stopCount: 2, stopName: "Mill Lane")
        #expect(waiting.panel?.heading == "AT MILL LANE" && waiting.inSentence == "waiting at Mill Lane")
        let long = StatusPhrases.of(.arrivedAtIntermediateDestination, stopIndex: 1, stopCount: 2, stopName: "The Old Market Square")
        #expect(long.panel?.heading == "AT STOP 2 of 2" && long.event == "Arrived at The Old Market Square")
    }
}
