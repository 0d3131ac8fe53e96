package import FleetEngine
package import FleetEngineAPI
package import FoundationEssentials
import Geo
import SwiftProtobuf

/// The lines of a `.trip` file: what a rider's program was told of one trip, each answer as it came, and when.
///
/// JSON Lines: a header, then an answer, a vehicle or a failure each. An answer is proto3 JSON; what it leaves out has not changed.
package enum TripLine {
    /// The version that is written, and the only one that is read.
    package static let version = 1

    /// The first line.
    /// - Parameter pollIntervalSeconds: between two polls: later than that an answer is late.
    package static func header(
        trip: TripName, at time: Date, pollIntervalSeconds: Double, scene: RecordedScene = RecordedScene()
    ) -> String {
        "{\"tripwatch\":\"trip\",\"version\":\(version),\"trip\":\(text(trip.description)),\"t\":\(moment(time)),"
            + "\"interval_s\":\(pollIntervalSeconds)" + members(of: scene) + "}"
    }

    private static func members(of scene: RecordedScene) -> String {
        let places = scene.placeNames.sorted { ($0.value, $0.key.longitude) < ($1.value, $1.key.longitude) }.map { place, name in
            "{\"at\":[\(place.longitude),\(place.latitude)],\"name\":\(text(name))}"
        }
        return (scene.bookedAt.map { ",\"booked\":\(moment($0))" } ?? "") + (scene.isInTown ? ",\"town\":true" : "")
            + (places.isEmpty ? "" : ",\"places\":[\(places.joined(separator: ","))]")
    }

    /// An answer, without other riders; nil for one that is no JSON.
    package static func answer(_ wire: WireTrip, of trip: TripName, at time: Date) -> String? {
        guard let json = try? wire.withoutOtherRiders(of: trip.trip).jsonString() else { return nil }
        return "{\"t\":\(moment(time)),\"answer\":\(json)}"
    }

    /// What the vehicle is, and not where it goes; nil for one that is no JSON.
    package static func vehicle(_ wire: WireVehicle, at time: Date) -> String? {
        guard let json = try? wire.withoutRiders.jsonString() else { return nil }
        return "{\"t\":\(moment(time)),\"vehicle\":\(json)}"
    }

    /// A failed call.
    /// - Parameter retryInSeconds: until the next try.
    package static func failure(_ error: FleetEngineError, retryInSeconds: Double, at time: Date) -> String {
        "{\"t\":\(moment(time)),\"error\":{\"code\":\(text(error.code.name)),\"message\":\(text(error.message)),"
            + "\"origin\":\"\(error.origin.rawValue)\",\"retry_in_s\":\(retryInSeconds.isFinite ? retryInSeconds : 0)}}"
    }

    private static func text(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    /// To the nanosecond, so that the same `Date` is read again.
    private static func moment(_ date: Date) -> String {
        let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
        let nanos = ((date.timeIntervalSinceReferenceDate - whole) * 1e9).rounded()
        guard abs(whole) < 1e11 else { return "null" }
        let stamp = Google_Protobuf_Timestamp(
            seconds: Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate), nanos: Int32(min(nanos, 999_999_999)))
        return (try? stamp.jsonString()) ?? "null"
    }
}
