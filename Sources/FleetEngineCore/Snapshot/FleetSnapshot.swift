public import FleetEngine
public import FleetEngineAPI
import SwiftProtobuf

/// What an engine knows, as files and tests have it: `{"version":1,"trips":[…],"vehicles":[…]}`, members in proto3 JSON with their full
/// names. It holds what people said and what has happened; what the server works out from that is left out.
public struct FleetSnapshot: Equatable, Sendable {
    /// The longest text that is read, bytes.
    public static let maximumBytes = 256 << 20
    /// The only form there is so far.
    private static let version = "1"

    /// In the order of lists.
    public var trips: [WireTrip]
    /// In the order of lists.
    public var vehicles: [WireVehicle]

    /// A snapshot of these, or of nothing.
    public init(trips: [WireTrip] = [], vehicles: [WireVehicle] = []) {
        self.trips = trips
        self.vehicles = vehicles
    }

    /// Reads the text form. Whether trips and vehicles go together shows when an engine loads them.
    ///
    /// - Throws: INVALID_ARGUMENT with the first member that cannot be read.
    public init(json: [UInt8]) throws(FleetEngineError) {
        guard json.count <= Self.maximumBytes else {
            throw .invalid("snapshot", "it has \(json.count) bytes, and at most \(Self.maximumBytes) are read")
        }
        let parts = try SnapshotText.parts(of: json)
        guard parts.version == Self.version else {
            let found = parts.version.map { "is \(FleetEngineError.shown($0))" } ?? "is missing"
            throw .invalid("version", "version \(found): this program reads version \(Self.version)")
        }
        trips = try Self.members(parts.trips, of: json, "trips")
        vehicles = try Self.members(parts.vehicles, of: json, "vehicles")
    }

    private static func members<Member: Message>(
        _ ranges: [Range<Int>], of json: [UInt8], _ list: String
    ) throws(FleetEngineError) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(ranges.count)
        for (index, range) in ranges.enumerated() {
            do throws(FleetEngineError) {
                members.append(try RESTMessage.read(Array(json[range])))
            } catch {
                let fields = (try? Google_Protobuf_Struct(jsonUTF8Bytes: Array(json[range])))?.fields
                throw error.at("\(list)[\(index)]", name: fields?["name"]?.stringValue)
            }
        }
        return members
    }

    /// The text form, a member a line.
    public var json: [UInt8] {
        var text = SnapshotJSON(tripCount: trips.count, vehicleCount: vehicles.count)
        for trip in trips { text.append(trip) }
        for vehicle in vehicles { text.append(vehicle) }
        return text.finished
    }
}

extension FleetEngineError {
    /// The same refusal, told of a member of a snapshot.
    package func at(_ place: String, name: String?) -> FleetEngineError {
        let shownName = name.flatMap { $0.isEmpty ? nil : " (\(Self.shown($0)))" } ?? ""
        return .invalid(place, "\(place)\(shownName): \(message.hasSuffix(".") ? String(message.dropLast()) : message)")
    }
}
