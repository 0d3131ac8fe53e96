/// All actions that a key can trigger. Raw values are their names in the configuration.
package enum AppAction: String, CaseIterable, Hashable, Sendable {
    case help
    case follow
    case panLeft = "pan-left"
    case panDown = "pan-down"
    case panUp = "pan-up"
    case panRight = "pan-right"
    case zoomIn = "zoom-in"
    case zoomOut = "zoom-out"
    case fitRoute = "fit-route"
    case centerVehicle = "center-vehicle"
    case ownPosition = "own-position"
    case search
    case nextTrip = "next-trip"
    case previousTrip = "previous-trip"
    case selectTrip = "select-trip"
    case tripList = "trip-list"
    case addTrip = "add-trip"
    case stopWatching = "stop-watching"
    case firstTrip = "first-trip"
    case lastTrip = "last-trip"
    case stops
    case nextMarker = "next-marker"
    case previousMarker = "previous-marker"
    case openMarker = "open-marker"
    case events
    case details
    case share
    case shareLink = "share-link"
    case copyMessage = "copy-message"
    case refresh
    case accept
    case decline
    case arrived
    case goOn = "go-on"
    case online
    case book
    case cancelTrip = "cancel-trip"
    case pause
    case slower
    case faster
    case scrubBack = "scrub-back"
    case scrubForward = "scrub-forward"
    case nextEvent = "next-event"
    case previousEvent = "previous-event"
    case replayRide = "replay-ride"
    case exportRide = "export-ride"
    case keepRide = "keep-ride"
    case theme
    case painter
    case baseMap = "base-map"
    case units
    case back
    case redraw
    case suspend
    case quit
}
