/// Kinds of events on a link: those of `--output json`, and two more. Raw values are the words in output.
package enum LinkEventKind: String, Hashable, Sendable {
    case trip, status, vehicle, location, eta, route, waypoints, traffic, freshness, error, recovered, end
    case linkEnded = "link_ended"
}
