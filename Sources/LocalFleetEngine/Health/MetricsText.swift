import FleetEngine
import FleetEngineAccess
import FleetEngineCore
import Synchronization

/// Metrics in the text format of Prometheus, version 0.0.4. All metrics except those of single vehicles are listed from the start, even if
/// their value is 0.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Maximum number of vehicles for which the clock error of the phone is listed.
    private static let mostClocks = 100

    private(set) var text = ""

    init(_ engine: LocalFleetEngine) {
        begin("tripwatch_calls_total", "counter", "Calls answered over gRPC and HTTP, including the provider API and phones.")
        for rpc in EngineRPC.allCases {
            for code in StatusCode.allCases {
                text += "tripwatch_calls_total{rpc=\"\(rpc.name)\",code=\"\(code.name)\"} \(engine.metrics.count(rpc, code))\n"
            }
        }
        add("tripwatch_call_seconds", engine.metrics.callDurations, "Time from a call's arrival to its answer.")
        add("tripwatch_store_seconds", engine.metrics.storeDurations, "Time to write a batch of changes to disk.")
        let (trips, vehicles, jumps, clockErrors, clocks, tasks, deliveryVehicles) = engine.held.withLock { held in
            let state = held.engine
            return (
                state.tripCount, state.vehicleCount, state.discardedJumps, state.phoneClockErrors, state.wrongPhoneClocks,
                state.taskCount, state.deliveryVehicleCount
            )
        }
        add("tripwatch_trips", "gauge", trips, "Trips that the engine knows.")
        add("tripwatch_vehicles", "gauge", vehicles, "Vehicles that the engine knows.")
        add("tripwatch_tasks", "gauge", tasks, "Tasks that the engine knows.")
        add("tripwatch_delivery_vehicles", "gauge", deliveryVehicles, "Delivery vehicles that the engine knows.")
        add("tripwatch_jumps_discarded_total", "counter", jumps, "Positions discarded because of an impossible speed.")
        add("tripwatch_phone_clock_errors_total", "counter", clockErrors, "Phone messages that contain positions with impossible times.")
        add(
            "tripwatch_hook_dropped_total", "counter", engine.metrics.hookLossCount,
            "Events that a hook did not receive, because it was busy or refused them.")
        begin(
            "tripwatch_phone_clock_ahead_seconds", "gauge",
            "Seconds by which a phone's clock is ahead (negative: behind), for phones whose positions are discarded because of it.")
        for clock in clocks.sorted(by: { $0.name.vehicle < $1.name.vehicle }).prefix(Self.mostClocks) {
            text += "tripwatch_phone_clock_ahead_seconds{vehicle=\"\(Self.label(clock.name.vehicle))\"} \(clock.aheadSeconds)\n"
        }
    }

    /// Escapes an id for use as the value of a label. Line breaks need no escape, because an id has none.
    private static func label(_ id: String) -> String {
        id.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
            .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func add(_ name: String, _ type: String, _ value: Int, _ help: String) {
        begin(name, type, help)
        text += "\(name) \(value)\n"
    }

    private mutating func add(_ name: String, _ durations: Durations, _ help: String) {
        begin(name, "histogram", help)
        var count = 0
        for (bound, more) in zip(Durations.bounds.map { "\($0)" } + ["+Inf"], durations.counts) {
            count += more
            text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
        }
        text += "\(name)_sum \(durations.sumSeconds)\n\(name)_count \(count)\n"
    }
}
