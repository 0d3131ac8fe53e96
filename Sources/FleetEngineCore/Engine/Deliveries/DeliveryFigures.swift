import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// The remaining stops, distance and times of a task that is assigned to a vehicle, at one moment. Unknown values are nil.
struct TaskOutlook: Equatable, Sendable {
    /// Number of remaining stops up to and including the task's own.
    var stopCount: Int
    /// Remaining distance to the task's stop, in metres.
    var meters: Double?
    /// The vehicle's expected or actual time of arrival at the task's stop.
    var arrival: Date?
    /// The expected time at which the task is done.
    var completion: Date?
}

extension DeliveryVehicleRecord {
    /// Returns the remaining stops, distance and times of a task; nil if the task is not in the vehicle's list of stops.
    func outlook(of taskID: String, now: Date) -> TaskOutlook? {
        guard let index = run.places[taskID], let stop = run.stops.element(index) else { return nil }
        var outlook = TaskOutlook(stopCount: index + 1)
        var meters = firstMeters
        var arrival = firstArrival
        for (start, leg) in run.between.prefix(index).enumerated() {
            meters = meters.map { $0 + leg.meters }
            arrival = arrival.map { leaving(start, reachedAt: $0, now: now).addingTimeInterval(leg.seconds) }
        }
        (outlook.meters, outlook.arrival) = (meters, arrival)
        outlook.completion = arrival.map { arrival in
            let done = arrival.addingTimeInterval(stop.seconds(through: taskID))
            return stop.state == .arrived ? max(now, done) : done
        }
        return outlook
    }

    /// Distance to the first stop, in metres; nil if unknown.
    private var firstMeters: Double? {
        if run.arrivedAt != nil { return 0 }
        return guide?.remainingMeters.map(Double.init) ?? run.approach?.metersLeft
    }

    /// The expected arrival time at the first stop, or the actual one if the vehicle is there; nil if unknown. The expected time is never
    /// earlier than the time of the last position. Without new positions, it does not change, even after it has passed.
    private var firstArrival: Date? {
        if let arrivedAt = run.arrivedAt { return arrivedAt }
        guard let arrival = guide?.arrival ?? run.approach?.arrival else { return nil }
        guard let location, location.hasServerTime else { return arrival }
        return max(arrival, location.serverTime.moment)
    }

    /// Returns the expected departure time from a stop. It is `now` if the vehicle is there and has already stayed longer than expected.
    private func leaving(_ index: Int, reachedAt arrival: Date, now: Date) -> Date {
        let expected = arrival.addingTimeInterval(run.stops.element(index)?.dwellSeconds ?? 0)
        return index == 0 && run.arrivedAt != nil ? max(now, expected) : expected
    }

    // MARK: Routes

    /// Returns the route from the vehicle to a stop, through the earlier stops.
    func wayAhead(through index: Int) -> Polyline {
        var places = run.arrivedAt == nil ? firstPlacesAhead : []
        for leg in run.between.prefix(index) { places += leg.line.coordinates }
        return Polyline(places)
    }

    private var firstPlacesAhead: [Coordinate] {
        if let guide {
            let along = position.flatMap { guide.line.nearest(to: $0)?.alongMeters } ?? 0
            return guide.line.slice(fromMeters: along, toMeters: guide.line.lengthMeters).coordinates
        }
        return run.approach?.placesLeft ?? []
    }

    /// Whether the position is at most `DeliveryUpload.snapMeters` from the driver's route, so that it can be drawn on the route.
    var isSnappable: Bool {
        guard let upload, let position, let place = upload.line.nearest(to: position) else { return false }
        return place.distanceMeters <= DeliveryUpload.snapMeters
    }

    /// Returns the route segments to the first `count` stops.
    ///
    /// - Parameters:
    ///   - isForTask: whether the driver's own route and time, if any, are used for the first stop.
    ///   - windows: returns the target time window of a task, or nil if it has none. Without this function, the stops have no windows.
    func segments(count: Int, isForTask: Bool, now: Date, windows: ((String) -> TimeWindow?)? = nil) -> [VehicleJourneySegment] {
        run.stops.prefix(count).enumerated().map { index, stop in
            let tasks = stop.tasks.map {
                StopTask(taskID: $0.id, durationSeconds: $0.durationSeconds, targetTimeWindow: windows?($0.id))
            }
            var segment = VehicleJourneySegment(stop: VehicleStop(plannedLocation: stop.place, tasks: tasks, state: stop.state))
            if index == 0 {
                fillFirst(&segment, isForTask: isForTask, now: now)
            } else if let leg = run.between.element(index - 1) {
                segment.drivingDistanceMeters = leg.meters
                segment.drivingDurationSeconds = leg.seconds
                segment.path = leg.line
            }
            return segment
        }
    }

    /// Sets the distance, time and route of the first segment. If the vehicle is at its first stop, the segment has no distance and no
    /// route. The segment's duration is then the actual driving time.
    private func fillFirst(_ segment: inout VehicleJourneySegment, isForTask: Bool, now: Date) {
        segment.drivingDurationSeconds = run.firstSeconds
        guard run.arrivedAt == nil else { return }
        segment.drivingDistanceMeters = run.added?.meters
        segment.path = run.added?.line ?? Polyline([])
        guard isForTask, let guide else { return }
        segment.path = guide.line
        if let seconds = guide.secondsLeft(now: now) { segment.drivingDurationSeconds = seconds }
    }
}

extension DeliveryStop {
    /// Returns the total duration of the stop's tasks up to and including the given task, in seconds.
    fileprivate func seconds(through taskID: String) -> Double {
        var seconds = 0.0
        for task in tasks {
            seconds += task.durationSeconds
            if task.id == taskID { break }
        }
        return seconds
    }
}

extension Array {
    /// The element at an index; nil if the index is out of range.
    func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
