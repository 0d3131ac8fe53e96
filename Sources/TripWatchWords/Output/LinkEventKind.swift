/// The kinds of events on a link: the events of `--output json`, the events that describe the trip or shipment, such as its title, and the
/// end of the link. The raw values are the words in the output.
package enum LinkEventKind: String, Hashable, Sendable {
    case trip, status, vehicle, location, eta, route, waypoints, traffic, freshness, error, recovered, end
    /// Kinds that only shipments have. `shipment` describes a shipment, as `trip` describes a trip.
    case shipment, state, window, shared, stops, outcome, replaced
    case linkEnded = "link_ended"
}
