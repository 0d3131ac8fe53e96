package import Geo

/// The plan of one vehicle's day, in the JSON of Google's last-mile sample. The encoder must use snake-case keys.
package struct ManifestBody: Encodable, Hashable, Sendable {
    package struct Waypoint: Encodable, Hashable, Sendable {
        package let description: String?
        /// The latitude, in degrees.
        package let lat: Double
        /// The longitude, in degrees.
        package let lng: Double

        package init(description: String?, place: Coordinate) {
            self.description = description
            lat = place.latitude
            lng = place.longitude
        }

        package var place: Coordinate { Coordinate(latitude: lat, longitude: lng) }
    }

    package struct Vehicle: Encodable, Hashable, Sendable {
        package let vehicleId: String
        package let providerId: String
        package let startLocation: Waypoint?

        package init(vehicleId: String, providerId: String, startLocation: Waypoint?) {
            self.vehicleId = vehicleId
            self.providerId = providerId
            self.startLocation = startLocation
        }
    }

    package struct Task: Encodable, Hashable, Sendable {
        package let taskId: String
        package let taskType: String
        package let durationSeconds: Double
        package var trackingId: String?
        package var plannedWaypoint: Waypoint?
        /// The start of the time window, as written in the plan.
        package var plannedCompletionTime: String?
        package var plannedCompletionTimeRangeSeconds: Double?
        package var contactName: String?
        package var description: String?

        package init(taskId: String, taskType: String, durationSeconds: Double) {
            self.taskId = taskId
            self.taskType = taskType
            self.durationSeconds = durationSeconds
        }
    }

    package struct Stop: Encodable, Hashable, Sendable {
        package let stopId: String
        package let plannedWaypoint: Waypoint
        /// The ids of the tasks at the stop.
        package var tasks: [String]

        package init(stopId: String, plannedWaypoint: Waypoint, tasks: [String]) {
            self.stopId = stopId
            self.plannedWaypoint = plannedWaypoint
            self.tasks = tasks
        }
    }

    package let vehicle: Vehicle
    package let tasks: [Task]
    package var stops: [Stop]
    /// The id of the app that has taken the manifest; nil if no app has.
    package var clientId: String?
    /// The state of the first stop that remains for the vehicle; nil if no stop remains.
    package var currentStopState: String?
    package var remainingStopIdList: [String] = []

    package init(vehicle: Vehicle, tasks: [Task], stops: [Stop]) {
        self.vehicle = vehicle
        self.tasks = tasks
        self.stops = stops
    }
}
