import FleetEngine
import FoundationEssentials
import Geo
import Navigation
public import TripRecording

extension RecordedTrack {
    /// Creates the track of a vehicle in an exported Fleet Engine log. If the log names no vehicle, its first trip is used.
    ///
    /// - Parameters:
    ///   - vehicle: id of the vehicle. If the log has only one vehicle, that vehicle is used, whatever its id is.
    ///   - trip: id or name of a trip. If the log has this trip, only the trip's part of the drive is used, and `vehicle` is ignored.
    /// - Throws: `LocationFileError.notInLog` for a log that contains several vehicles, but not this one; `noPlaces` for a log without
    ///   usable positions of the vehicle.
    public init(_ log: FleetEngineLog, vehicle: String, trip: String?) throws(LocationFileError) {
        let locations: [VehicleLocation]
        let tripName = trip.flatMap { trip in log.tripNames.first { $0.trip == trip || $0.description == trip } }
        let names = tripName == nil ? log.vehicleNames : []
        if let tripName {
            locations = log.locations(during: tripName)
        } else if let name = names.first(where: { $0.vehicle == vehicle }) ?? (names.count == 1 ? names.first : nil) {
            locations = log.locations(of: name)
        } else if names.isEmpty, let name = log.tripNames.first {
            locations = log.locations(during: name)
        } else if names.isEmpty {
            throw .noPlaces("vehicle or trip")
        } else {
            let shown = names.prefix(5).map(\.vehicle).joined(separator: ", ")
            throw .notInLog("the log has no vehicle \(vehicle); it has \(shown)\(names.count > 5 ? " and others" : "")")
        }
        self.init(recorded: locations.compactMap { location in location.fix.map { TrackPoint($0) } })
        guard count > 0 else { throw .noPlaces("valid position with a time for this vehicle or trip") }
    }
}

extension VehicleLocation {
    /// The position as the receiver measured it, or the reported position if the log has no believable measured one; nil without a time.
    fileprivate var fix: LocationFix? {
        guard let time = rawLocationTime ?? fixTime else { return nil }
        let raw = rawCoordinate.flatMap { $0.isBelievablePosition ? $0 : nil }
        return LocationFix(
            coordinate: raw ?? coordinate, time: time, accuracyMeters: accuracyMeters, courseDegrees: headingDegrees,
            speedMetersPerSecond: speedMetersPerSecond, altitudeMeters: altitudeMeters)
    }
}
