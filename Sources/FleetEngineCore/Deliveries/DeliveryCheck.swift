package import FleetEngine
import FleetEngineWire
import FoundationEssentials
import Geo

/// Checks of the values of tasks and delivery vehicles. Each check throws INVALID_ARGUMENT and names the invalid field.
extension Check {
    /// The longest duration of a task, in seconds: ten years.
    private static let longestSeconds = 315_360_000.0

    package static func taskName(_ text: String, field: String = "name") throws(FleetEngineError) -> TaskName {
        do { return try TaskName(text) } catch { throw .invalid(field, error.description) }
    }

    package static func taskName(parent: String, id: String) throws(FleetEngineError) -> TaskName {
        let provider = try provider(parent)
        do { return try TaskName(provider: provider.provider, task: id) } catch { throw .invalid("task_id", error.description) }
    }

    package static func deliveryVehicleName(_ text: String, field: String = "name") throws(FleetEngineError) -> DeliveryVehicleName {
        do { return try DeliveryVehicleName(text) } catch { throw .invalid(field, error.description) }
    }

    package static func deliveryVehicleName(parent: String, id: String) throws(FleetEngineError) -> DeliveryVehicleName {
        let provider = try provider(parent)
        do {
            return try DeliveryVehicleName(provider: provider.provider, vehicle: id)
        } catch { throw .invalid("delivery_vehicle_id", error.description) }
    }

    package static func trackingName(_ text: String) throws(FleetEngineError) -> TaskTrackingName {
        do { return try TaskTrackingName(text) } catch { throw .invalid("name", error.description) }
    }

    static func place(_ place: Coordinate, _ field: String) throws(FleetEngineError) {
        guard place.isValid else {
            throw .invalid(field, "\(field) must have a latitude from -90 to 90 and a longitude from -180 to 180")
        }
    }

    static func duration(_ seconds: Double?, _ field: String) throws(FleetEngineError) {
        guard let seconds else { throw .invalid(field, "\(field) is required") }
        guard (0...longestSeconds).contains(seconds) else { throw .invalid(field, "\(field) must be from 0 s to ten years") }
    }

    static func window(_ window: TimeWindow?, _ field: String) throws(FleetEngineError) {
        guard let window else { return }
        guard window.start <= window.end else { throw .invalid(field, "\(field).end_time must not be before start_time") }
    }

    static func viewConfig(_ config: TaskTrackingViewConfig?, type: DeliveryTaskType, _ field: String) throws(FleetEngineError) {
        guard let config else { return }
        guard type.isShipment else { throw .invalid(field, "only a PICKUP or DELIVERY task can have a task_tracking_view_config") }
        let rules = [
            config.route, config.arrivalTime, config.completionTime, config.remainingDistance, config.remainingStopCount,
            config.vehicleLocation,
        ]
        guard rules.allSatisfy({ $0?.hasPlainThreshold ?? true }) else {
            throw .invalid(field, "\(field): a threshold must not be negative")
        }
    }

    static func attributes(_ attributes: [DeliveryAttribute], limits: EngineLimits) throws(FleetEngineError) {
        try count(attributes.count, atMost: limits.attributes, "attributes")
        var keys: Set<String> = []
        for attribute in attributes {
            if case .number(let number) = attribute.value { try AttributeRules.check(number) }
            try AttributeRules.check(key: attribute.key, value: attribute.text, seen: &keys, limits: limits)
        }
    }
}

extension TrackingVisibility {
    fileprivate var hasPlainThreshold: Bool {
        switch self {
        case .remainingStops(let count), .remainingMeters(let count): count >= 0
        case .secondsToArrival(let seconds): seconds.isFinite && seconds >= 0
        case .always, .never: true
        }
    }
}

extension DeliveryAttribute {
    /// The attribute's value as text. Filters compare this text.
    var text: String {
        switch value {
        case .text(let text): text
        case .truth(let value): value ? "true" : "false"
        case .number(let number): number.attributeText
        }
    }
}
