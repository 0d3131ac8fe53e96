/// The kinds of events on a link: events of `--output json`, descriptions of the trip or shipment, and the end of the link. The
/// raw values are the words in the output.
package enum LinkEventKind: String, Hashable, Sendable {
    case trip, status, vehicle, location, eta, route, waypoints, traffic, freshness, error, recovered, end
    /// Kinds that only shipments have. `shipment` describes a shipment, as `trip` describes a trip.
    case shipment, state, window, shared, stops, outcome, replaced
    case linkEnded = "link_ended"
}
