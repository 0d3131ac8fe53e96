import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchRuntime
import TripWatchWords

/// The option for shipments, in addition to trips or instead of a trip.
struct TrackingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Tracking id or name of a shipment.", valueName: "id"), completion: .knownShipments)
    var tracking: [String] = []

    private static let collection = "/taskTrackingInfo/"

    /// Returns whether a text is a shipment's full name.
    static func isShipment(_ text: String) -> Bool { text.hasPrefix("providers/") && text.contains(collection) }

    /// Moves the full names of shipments out of a list of trips into these options.
    mutating func take(from trips: inout [String]) {
        tracking += trips.filter(Self.isShipment)
        trips.removeAll(where: Self.isShipment)
    }

    /// Returns the name or tracking id of the shipment that a command is about; nil if the command is about a trip.
    /// - Throws: `ValidationError` unless exactly one trip or shipment is given.
    func only(beside trip: String?) throws -> String? {
        let named = tracking + [trip].compactMap { $0 }.filter(Self.isShipment)
        guard named.count <= 1, named.isEmpty || trip.map(Self.isShipment) ?? true else {
            throw ValidationError("name one trip or one shipment.")
        }
        guard trip != nil || !named.isEmpty else {
            throw ValidationError("name a trip or a shipment; see 'tripwatch list'.")
        }
        return named.first
    }
}

extension ConnectionOptions {
    /// Reads a shipment's full name, or a tracking id with `--provider`.
    func trackingName(_ text: String) throws -> TaskTrackingName {
        do throws(ResourceNameError) {
            if TrackingOptions.isShipment(text) { return try TaskTrackingName(text) }
            try ResourceID.check(text, kind: "tracking id")
            if let provider { return try TaskTrackingName(provider: provider, trackingID: text) }
        } catch {
            throw ValidationError("'\(printable(text))': \(error).")
        }
        throw ValidationError("'\(printable(text))' is a bare tracking id: add --provider, or give the full name.")
    }
}

extension TokenOptions {
    /// Checks the placeholders of the token address.
    /// - Parameter isShipment: whether the token is for a shipment rather than for a trip.
    /// - Throws: `ValidationError` if the token address has the placeholder for the other kind of id, but not the one for this kind.
    func check(isShipment: Bool) throws {
        if let fault = try settings().placeholderFault(isShipment: isShipment) { throw ValidationError(fault) }
    }
}
