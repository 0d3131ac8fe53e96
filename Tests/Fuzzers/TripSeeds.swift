import FleetEngineAPI
import FleetEngineAccess
import SwiftProtobuf

/// Encoded messages of Fleet Engine's services.
enum TripSeeds {
    static let trip = """
        {"name":"providers/p/trips/t","tripType":"EXCLUSIVE","numberOfPassengers":2,"tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"v",\
        "pickupPoint":{"point":{"latitude":-36,"longitude":-20}},"dropoffPoint":{"point":{"latitude":-36.01,"longitude":-19.985}},\
        "intermediateDestinations":[{"point":{"latitude":-36.005,"longitude":-19.99}}],"attributes":[{"key":"plate","stringValue":"KVX 2"}]}
        """
    static let vehicle = """
        {"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE","SHARED"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"},\
        "attributes":[{"key":"plate","value":"DEMO 7"}],"lastLocation":{"location":{"latitude":-36,"longitude":-20},"heading":90}}
        """
    static let task = """
        {"type":"DELIVERY","state":"OPEN","trackingId":"p1","taskDuration":"60s","plannedLocation":{"point":{"latitude":-36,"longitude":-20}}}
        """
    static let shipment = """
        {"name":"providers/p/taskTrackingInfo/p1","trackingId":"p1","state":"OPEN","remainingStopCount":3,"remainingDrivingDistanceMeters":1804,\
        "vehicleLocation":{"location":{"latitude":-36,"longitude":-20},"updateTime":"2031-05-05T10:21:57Z","heading":10,"speed":8},\
        "routePolylinePoints":[{"latitude":-36,"longitude":-20},{"latitude":-36.01,"longitude":-19.98}],\
        "estimatedArrivalTime":"2031-05-05T10:28:00Z","estimatedTaskCompletionTime":"2031-05-05T10:30:00Z",\
        "plannedLocation":{"point":{"latitude":-36.01,"longitude":-19.98}},"attributes":[{"key":"gate_code","stringValue":"4711"}],\
        "targetTimeWindow":{"startTime":"2031-05-05T10:00:00Z","endTime":"2031-05-05T12:00:00Z"}}
        """
    /// A plan of deliveries.
    static let plan = """
        {"vehicle":{"vehicle_id":"van-1"},"tasks":[{"task_id":"a","task_type":"DELIVERY","tracking_id":"x","duration_seconds":60,\
        "planned_waypoint":{"lat":48.5,"lng":9.1}}],"stops":[{"stop_id":"s","planned_waypoint":{"lat":48.5,"lng":9.1},"tasks":["a"]}]}
        """
    static let stops = """
        {"remainingVehicleJourneySegments":[{"stop":{"plannedLocation":{"point":{"latitude":-36,"longitude":-20}},"state":"ENROUTE",\
        "tasks":[{"taskId":"t"}]}}]}
        """

    /// Returns an answer to GetTrip. Two bytes with its length precede it.
    static func answer(isAhead: Bool = false) -> [UInt8] {
        let route = """
            ,"remainingDistanceMeters":1804,"remainingTimeToFirstWaypoint":"360s","currentRouteSegment":"_p~iF~ps|U_ulLnnqC_mqNvxq`@",\
            "lastLocation":{"location":{"latitude":-36,"longitude":-20},"updateTime":"2031-05-05T10:21:57Z","heading":10,"speed":8},\
            "remainingWaypoints":[{"location":{"point":{"latitude":-36,"longitude":-20}},"tripId":"t","waypointType":"PICKUP_WAYPOINT_TYPE",\
            "pathToWaypoint":[{"latitude":-36.1,"longitude":-20}],"distanceMeters":1804,"eta":"2031-05-05T10:28:00Z"}]}
            """
        return measured(encoded(isAhead ? String(trip.dropLast()) + route : trip, as: WireTrip.self))
    }

    /// Returns answers to GetTaskTrackingInfo: one about a van on its way, and, if `isOver`, one about the end of the shipment. Each
    /// answer is preceded by its length in two bytes.
    static func shipmentAnswers(isOver: Bool = false) -> [UInt8] {
        let end = #"{"trackingId":"p1","state":"CLOSED","taskOutcome":"SUCCEEDED","taskOutcomeTime":"2031-05-05T10:21:58Z"}"#
        return (isOver ? [shipment, end] : [shipment]).flatMap { measured(encoded($0, as: WireTaskTrackingInfo.self)) }
    }

    private static func measured(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    /// Returns inputs with sample calls of the trips API and the deliveries API. An input has all sample calls of one API, one after
    /// another, or a single call. A call consists of the number of its RPC and a message with gRPC's prefix.
    static func calls() -> [[UInt8]] {
        let name = #"{"name":"providers/p/trips/t""#
        let ride = [
            frame(.createVehicle, #"{"parent":"providers/p","vehicleId":"v","vehicle":\#(vehicle)}"#, as: WireCreateVehicleRequest.self),
            frame(
                .createTrip,
                #"{"parent":"providers/p","tripId":"t","trip":{"tripType":"EXCLUSIVE","numberOfPassengers":2,"#
                    + #""pickupPoint":{"point":{"latitude":-36,"longitude":-20}}}}"#, as: WireCreateTripRequest.self),
            frame(
                .updateTrip, name + #","trip":{"vehicleId":"v","tripStatus":"ENROUTE_TO_PICKUP"},"updateMask":"vehicleId,tripStatus"}"#,
                as: WireUpdateTripRequest.self),
            frame(
                .updateVehicle, #"{"name":"providers/p/vehicles/v","vehicle":\#(vehicle),"updateMask":"lastLocation,attributes"}"#,
                as: WireUpdateVehicleRequest.self),
            frame(.getTrip, name + #","view":"SDK"}"#, as: WireGetTripRequest.self),
            frame(
                .listVehicles, #"{"parent":"providers/p","pageSize":7,"filter":"attributes.plate = \"DEMO 7\"","onTripOnly":true}"#,
                as: WireListVehiclesRequest.self),
        ]
        let round = [
            frame(.createTask, #"{"parent":"providers/p","taskId":"t","task":\#(task)}"#, as: WireCreateTaskRequest.self),
            frame(
                .createDeliveryVehicle, #"{"parent":"providers/p","deliveryVehicleId":"v","deliveryVehicle":{"type":"AUTO"}}"#,
                as: WireCreateDeliveryVehicleRequest.self),
            frame(
                .updateDeliveryVehicle,
                #"{"deliveryVehicle":{"name":"providers/p/deliveryVehicles/v",\#(stops.dropFirst()),"#
                    + #""updateMask":"remainingVehicleJourneySegments"}"#, as: WireUpdateDeliveryVehicleRequest.self),
            frame(.getTaskTrackingInfo, #"{"name":"providers/p/taskTrackingInfo/p1"}"#, as: WireGetTaskTrackingInfoRequest.self),
            frame(.listTasks, #"{"parent":"providers/p","filter":"state = OPEN","pageSize":3}"#, as: WireListTasksRequest.self),
        ]
        return [ride.flatMap { $0 }, round.flatMap { $0 }] + ride + round
    }

    /// Returns calls whose messages are compressed with gzip.
    static func packedCalls() -> [[UInt8]] {
        [trip, vehicle].map { text in
            let bytes = PackedSeeds.gzip(Array(text.utf8))
            return [6, 1, 0, 0, UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
    }

    private static func frame<Request: Message>(_ rpc: EngineRPC, _ json: String, as type: Request.Type) -> [UInt8] {
        let number = EngineRPC.allCases.firstIndex(of: rpc) ?? 0
        let bytes = encoded(json, as: type)
        return [
            UInt8(truncatingIfNeeded: number), 0, 0, 0, UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count),
        ]
            + bytes
    }

    /// Returns the binary form of a message. If the JSON is invalid, the program ends, because the mistake would otherwise go unnoticed.
    private static func encoded<Body: Message>(_ json: String, as type: Body.Type) -> [UInt8] {
        do {
            return try Body(jsonString: json).serializedBytes()
        } catch {
            fatalError("a seed is no \(Body.protoMessageName): \(error)")
        }
    }
}
