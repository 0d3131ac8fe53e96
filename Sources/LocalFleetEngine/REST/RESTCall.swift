import FleetEngine
import FleetEngineAccess

/// A call of Fleet Engine's API over HTTP: the RPC, and the name of the resource in the path.
///
/// The paths come from the services' `google.api.http` bindings.
package struct RESTCall: Hashable, Sendable {
    /// The kind of a path: a collection or one of its resources, with or without a custom verb after a colon.
    private struct Place: Hashable {
        let collection: String
        let isOne: Bool
        var verb: String?
    }

    let rpc: EngineRPC
    /// The full name of the resource; for a call to a collection, the name of its parent.
    let name: String

    private static let rpcs: [Place: [String: EngineRPC]] = [
        Place(collection: "trips", isOne: false): ["POST": .createTrip],
        Place(collection: "trips", isOne: false, verb: "search"): ["POST": .searchTrips],
        Place(collection: "trips", isOne: true): ["GET": .getTrip, "PUT": .updateTrip, "DELETE": .deleteTrip],
        Place(collection: "billableTrips", isOne: true, verb: "report"): ["POST": .reportBillableTrip],
        Place(collection: "vehicles", isOne: false): ["POST": .createVehicle, "GET": .listVehicles],
        Place(collection: "vehicles", isOne: false, verb: "search"): ["POST": .searchVehicles],
        Place(collection: "vehicles", isOne: true): ["GET": .getVehicle, "PUT": .updateVehicle, "DELETE": .deleteVehicle],
        Place(collection: "vehicles", isOne: true, verb: "updateAttributes"): ["POST": .updateVehicleAttributes],
        Place(collection: "deliveryVehicles", isOne: false): ["POST": .createDeliveryVehicle, "GET": .listDeliveryVehicles],
        Place(collection: "deliveryVehicles", isOne: true): [
            "GET": .getDeliveryVehicle, "PATCH": .updateDeliveryVehicle, "DELETE": .deleteDeliveryVehicle,
        ],
        Place(collection: "tasks", isOne: false): ["POST": .createTask, "GET": .listTasks],
        Place(collection: "tasks", isOne: false, verb: "batchCreate"): ["POST": .batchCreateTasks],
        Place(collection: "tasks", isOne: true): ["GET": .getTask, "PATCH": .updateTask, "DELETE": .deleteTask],
        Place(collection: "taskTrackingInfo", isOne: true): ["GET": .getTaskTrackingInfo],
    ]

    /// Reads the call from the method and the path of an HTTP request.
    /// - Parameters:
    ///   - method: the HTTP method, in capitals. HEAD makes the same call as GET.
    ///   - path: the path as sent, with percent escapes; each segment is decoded once.
    /// - Throws: `RESTRefusal` with 404 if the path does not exist, and 405 if it does not support the method.
    package init(method: String, path: String) throws(RESTRefusal) {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        var verb: String?
        if let last = segments.popLast() {
            let parts = last.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            segments.append(String(parts[0]))
            verb = parts.count > 1 ? String(parts[1]) : nil
        }
        let decoded = segments.compactMap(PercentEncoding.text)
        guard decoded.count == segments.count, (4...5).contains(decoded.count), decoded.starts(with: ["v1", "providers"]),
            !decoded.contains("")
        else { throw .noSuchPath }
        let place = Place(collection: decoded[3], isOne: decoded.count == 5, verb: verb)
        guard let methods = Self.rpcs[place] else { throw .noSuchPath }
        guard let rpc = methods[method == "HEAD" ? "GET" : method] else {
            let allowed = Array(methods.keys) + (methods["GET"] == nil ? [] : ["HEAD"])
            throw .noSuchMethod(allowed: allowed.sorted())
        }
        self.rpc = rpc
        name = decoded.dropFirst().prefix(place.isOne ? 4 : 2).joined(separator: "/")
    }
}
