import FleetEngine
import FoundationEssentials
import Geo

/// The figures of a task on a vehicle at one moment. What is unknown is nil.
struct TaskOutlook: Equatable, Sendable {
    /// The stops that remain, the task's own included.
    var stopCount: Int
    /// Metres to the task's stop.
    var meters: Double?
    /// The time when the vehicle reaches, or has reached, the task's stop.
    var arrival: Date?
    /// The time when the task is done.
    var completion: Date?
}

extension DeliveryVehicleRecord {
    /// The figures of a task; nil if the task is not in the list of stops.
    func outlook(of taskID: String, now: Date) -> TaskOutlook? {
        guard let index = run.places[taskID], let stop = run.stops.element(index) else { return nil }
        var outlook = TaskOutlook(stopCount: index + 1)
        var meters = firstMeters
        var arrival = firstArrival(now: now)
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

    /// Metres to the first stop; nil if they are unknown.
    private var firstMeters: Double? {
        if run.arrivedAt != nil { return 0 }
        return guide?.remainingMeters.map(Double.init) ?? run.approach?.metersLeft
    }

    /// The time at the first stop; nil if it is unknown. For a vehicle that stands there it is the moment of its arrival.
    private func firstArrival(now: Date) -> Date? {
        if let arrivedAt = run.arrivedAt { return arrivedAt }
        let seconds = guide?.secondsLeft(now: now) ?? run.approach?.secondsLeft(now: now)
        return seconds.map { now.addingTimeInterval($0) }
    }

    /// The expected time of leaving a stop. A vehicle that stays longer than expected leaves now.
    private func leaving(_ index: Int, reachedAt arrival: Date, now: Date) -> Date {
        max(now, arrival.addingTimeInterval(run.stops.element(index)?.dwellSeconds ?? 0))
    }

    // MARK: Ways

    /// The way from the vehicle to a stop, through the stops before.
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

    /// Whether the position can be drawn on the driver's way.
    var isSnappable: Bool {
        guard let upload, let position, let place = upload.line.nearest(to: position) else { return false }
        return place.distanceMeters <= DeliveryUpload.snapMeters
    }

    /// The first segments, up to a number of stops.
    ///
    /// - Parameters:
    ///   - isForTask: shows the driver's own way and time to the first stop, if he has one.
    ///   - windows: the target time window of each task; nil leaves them out.
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

    /// A vehicle at its first stop has no way to it any more. The duration is then the time that it really took.
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
    /// The time for the tasks up to and including one.
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
    /// The element at an index; nil outside.
    func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
