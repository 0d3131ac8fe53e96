/// Kinds of events on a link: the events of `--output json`, the events that name the trip or shipment, and the end of the link. Raw values
/// are the words in output.
package enum LinkEventKind: String, Hashable, Sendable {
    case trip, status, vehicle, location, eta, route, waypoints, traffic, freshness, error, recovered, end
    /// Only for shipments. `shipment` names it, as `trip` names a trip.
    case shipment, state, window, shared, stops, outcome, replaced
    case linkEnded = "link_ended"
}
