public import FleetEngine
public import FleetEngineAPI
import SwiftProtobuf

/// The trips, vehicles, tasks and delivery vehicles of a Fleet Engine, for files and tests. The text form is
/// `{"version":1,"trips":[…],"vehicles":[…],"tasks":[…],"deliveryVehicles":[…]}`. Each trip, vehicle and task in the lists is proto3 JSON,
/// and its `name` is the full name. Derived values are left out, and so are the remaining durations of delivery vehicles.
public struct FleetSnapshot: Equatable, Sendable {
    /// Maximum size of a text that can be read, in bytes.
    public static let maximumBytes = 256 << 20
    /// The version of the text form. Other versions cannot be read.
    private static let version = "1"

    /// The trips, in the order in which the server lists them.
    public var trips: [WireTrip]
    /// The vehicles, in the order in which the server lists them.
    public var vehicles: [WireVehicle]
    /// The tasks, in the order in which the server lists them.
    public var tasks: [WireTask]
    /// The delivery vehicles with their stops, in the order in which the server lists them.
    public var deliveryVehicles: [WireDeliveryVehicle]

    /// Creates a snapshot with these members; it is empty by default.
    public init(
        trips: [WireTrip] = [], vehicles: [WireVehicle] = [], tasks: [WireTask] = [], deliveryVehicles: [WireDeliveryVehicle] = []
    ) {
        self.trips = trips
        self.vehicles = vehicles
        self.tasks = tasks
        self.deliveryVehicles = deliveryVehicles
    }

    /// Reads the text form. Whether its members fit together is checked only when an engine loads the snapshot.
    ///
    /// - Throws: INVALID_ARGUMENT with the first member that cannot be read.
    public init(json: [UInt8]) throws(FleetEngineError) {
        guard json.count <= Self.maximumBytes else {
            throw .invalid("snapshot", "it has \(json.count) bytes; the limit is \(Self.maximumBytes)")
        }
        let parts = try SnapshotText.parts(of: json)
        guard parts.version == Self.version else {
            let found = parts.version.map { "is \(FleetEngineError.shown($0))" } ?? "is missing"
            throw .invalid("version", "version \(found): this program reads version \(Self.version)")
        }
        trips = try Self.members(parts.trips, of: json, "trips")
        vehicles = try Self.members(parts.vehicles, of: json, "vehicles")
        tasks = try Self.members(parts.tasks, of: json, "tasks")
        deliveryVehicles = try Self.members(parts.deliveryVehicles, of: json, "deliveryVehicles")
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

    /// The text form. Each member is on a line of its own.
    public var json: [UInt8] {
        var text = SnapshotJSON()
        text.begin("trips")
        for trip in trips { text.append(trip) }
        text.begin("vehicles")
        for vehicle in vehicles { text.append(vehicle) }
        if !tasks.isEmpty { text.begin("tasks") }
        for task in tasks { text.append(task) }
        if !deliveryVehicles.isEmpty { text.begin("deliveryVehicles") }
        for vehicle in deliveryVehicles { text.append(vehicle) }
        return text.finished
    }
}

extension FleetEngineError {
    /// Returns this error with the path of the member in a snapshot.
    package func at(_ place: String, name: String?) -> FleetEngineError {
        let shownName = name.flatMap { $0.isEmpty ? nil : " (\(Self.shown($0)))" } ?? ""
        return .invalid(place, "\(place)\(shownName): \(message.hasSuffix(".") ? String(message.dropLast()) : message)")
    }
}
