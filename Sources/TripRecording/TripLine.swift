package import FleetEngine
package import FleetEngineAPI
package import FoundationEssentials
import Geo
import SwiftProtobuf

/// Composes the lines of a `.trip` file: the answers that a program received for one trip or shipment, with their times.
///
/// The format is JSON Lines: a header, then one answer, vehicle or failure per line. An answer is proto3 JSON. Fields that it leaves out
/// have not changed.
package enum TripLine {
    /// The version of the format that this program writes. It reads no other version.
    package static let version = 1

    /// Returns the first line of a recorded trip.
    /// - Parameter pollIntervalSeconds: time between two polls. If more time passes between two answers, the second answer is late.
    package static func header(
        trip: TripName, at time: Date, pollIntervalSeconds: Double, scene: RecordedScene = RecordedScene()
    ) -> String {
        "{\"tripwatch\":\"trip\",\"version\":\(version),\"trip\":\(text(trip.description)),\"t\":\(moment(time)),"
            + "\"interval_s\":\(pollIntervalSeconds)" + members(of: scene) + "}"
    }

    /// Returns the first line of a recorded shipment.
    /// - Parameter pollIntervalSeconds: time between two polls while the server shares data that changes quickly.
    package static func header(tracking: TaskTrackingName, at time: Date, pollIntervalSeconds: Double) -> String {
        "{\"tripwatch\":\"trip\",\"version\":\(version),\"tracking\":\(text(tracking.description)),\"t\":\(moment(time)),"
            + "\"interval_s\":\(pollIntervalSeconds)}"
    }

    private static func members(of scene: RecordedScene) -> String {
        let places = scene.placeNames.sorted { ($0.value, $0.key.longitude) < ($1.value, $1.key.longitude) }.map { place, name in
            "{\"at\":[\(place.longitude),\(place.latitude)],\"name\":\(text(name))}"
        }
        return (scene.bookedAt.map { ",\"booked\":\(moment($0))" } ?? "") + (scene.isInTown ? ",\"town\":true" : "")
            + (places.isEmpty ? "" : ",\"places\":[\(places.joined(separator: ","))]")
    }

    /// Returns the line for an answer, without the data of other riders; nil if the answer has no JSON form.
    package static func answer(_ wire: WireTrip, of trip: TripName, at time: Date) -> String? {
        guard let json = try? wire.withoutOtherRiders(of: trip.trip).jsonString() else { return nil }
        return "{\"t\":\(moment(time)),\"answer\":\(json)}"
    }

    /// Returns the line for an answer about a shipment; nil if the answer has no JSON form.
    package static func answer(_ wire: WireTaskTrackingInfo, at time: Date) -> String? {
        guard let json = try? wire.jsonString() else { return nil }
        return "{\"t\":\(moment(time)),\"answer\":\(json)}"
    }

    /// Returns the line for a vehicle's own data, without its destinations; nil if the vehicle has no JSON form.
    package static func vehicle(_ wire: WireVehicle, at time: Date) -> String? {
        guard let json = try? wire.withoutRiders.jsonString() else { return nil }
        return "{\"t\":\(moment(time)),\"vehicle\":\(json)}"
    }

    /// Returns the line for a failed call.
    /// - Parameter retryInSeconds: time until the next attempt.
    package static func failure(_ error: FleetEngineError, retryInSeconds: Double, at time: Date) -> String {
        "{\"t\":\(moment(time)),\"error\":{\"code\":\(text(error.code.name)),\"message\":\(text(error.message)),"
            + "\"origin\":\"\(error.origin.rawValue)\",\"retry_in_s\":\(retryInSeconds.isFinite ? retryInSeconds : 0)}}"
    }

    private static func text(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    /// Returns the time to the nanosecond, so that reading the text gives the same `Date`.
    private static func moment(_ date: Date) -> String {
        let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
        let nanos = ((date.timeIntervalSinceReferenceDate - whole) * 1e9).rounded()
        guard abs(whole) < 1e11 else { return "null" }
        let stamp = Google_Protobuf_Timestamp(
            seconds: Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate), nanos: Int32(min(nanos, 999_999_999)))
        return (try? stamp.jsonString()) ?? "null"
    }
}
