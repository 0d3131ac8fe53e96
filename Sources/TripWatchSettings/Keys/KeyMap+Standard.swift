extension KeyMap {
    /// A rider's standard keys.
    package static let standard = KeyMap(all.filter { $0.users.contains(.rider) })
    /// A driver's standard keys.
    package static let driving = KeyMap(all.filter { $0.users.contains(.driver) })

    /// The standard keys of a user who views a recording.
    package static let replaying = KeyMap(all.filter { $0.users.contains(.viewer) })

    /// The standard keys in the list of trips. The list accepts the keys of the map too, but they only show a hint on how to
    /// open the map.
    package static let choosing = KeyMap(all.filter { $0.users.contains(.chooser) })

    /// A rider's keys on a map without a trip.
    package static let mapping = KeyMap(
        standard.bindings + [
            KeyBinding(
                .map, [(.book, ["B"])], "B", "book a ride: pickup, then drop-off", hint: "book a ride", shortHint: "book", for: [.rider])
        ])

    /// A rider's additional keys after a recorded ride.
    private static let ofRide = [
        KeyBinding(.trip, [(.replayRide, ["p"])], "p", "replay the ride", hint: "replay", for: [.rider]),
        KeyBinding(.trip, [(.exportRide, ["e"])], "e", "write the ride as GPX and GeoJSON", hint: "export", for: [.rider]),
        KeyBinding(.trip, [(.keepRide, ["k"])], "k", "keep the ride's recording", hint: "keep", for: [.rider]),
    ]

    /// This map with the additional keys for a recorded ride that has ended.
    package var withRide: KeyMap {
        var map = KeyMap(bindings + Self.ofRide)
        for entry in Self.ofRide.flatMap(\.entries) { map.bind(entry.action, to: entry.keys) }
        return map
    }

    private static let everywhere = KeyBinding.User.allCases

    /// All keys of all screens.
    private static let all = [
        KeyBinding(.shift, [(.accept, ["a"])], "a", "accept the offered trip", hint: "accept", for: [.driver]),
        KeyBinding(.shift, [(.decline, ["x"])], "x", "decline the offered trip", hint: "decline", for: [.driver]),
        KeyBinding(
            .shift, [(.arrived, ["v"])], "v", "report arrival or the trip's end", hint: "arrived",
            for: [.driver]),
        KeyBinding(.shift, [(.goOn, ["n"])], "n", "go on to the next stop", hint: "go on", for: [.driver]),
        KeyBinding(
            .shift, [(.online, ["o"])], "o", "go online or offline", hint: "online/offline", shortHint: "on/off", for: [.driver]
        ),
        KeyBinding(.replay, [(.pause, ["space"])], "Space", "pause, resume", hint: "pause", for: [.viewer]),
        KeyBinding(
            .replay, [(.slower, ["<"]), (.faster, [">"])], "<  >", "half, double speed", hintKeys: "< >", hint: "speed", for: [.viewer]),
        KeyBinding(
            .replay, [(.scrubBack, ["left"]), (.scrubForward, ["right"])], "left  right", "10 s back, forward; Shift: 60 s",
            hintKeys: "arrows",
            hint: "10 s", for: [.viewer]),
        KeyBinding(
            .replay, [(.nextEvent, ["e"]), (.previousEvent, ["E"])], "e  E", "next, previous event", hintKeys: "e", hint: "next event",
            shortHint: "event", for: [.viewer]),
        KeyBinding(
            .list, [(.panDown, ["down", "j"]), (.panUp, ["up", "k"])], "arrows  j k", "next, previous trip in the list", hintKeys: "j k",
            hint: "move", for: [.chooser]),
        KeyBinding(
            .list, [(.firstTrip, ["g", "home"]), (.lastTrip, ["G", "end"])], "g  G", "first, last; PgUp PgDn: by page", for: [.chooser]),
        KeyBinding(.list, [(.openMarker, ["enter"])], "Enter", "open the trip", hint: "open", for: [.chooser]),
        KeyBinding(
            .list, [(.nextTrip, ["tab"]), (.previousTrip, ["shift-tab"]), (.selectTrip, (1...9).map { "\($0)" })], "Tab  1-9",
            "next trip, trip by number", for: [.chooser]),
        KeyBinding(.list, [(.addTrip, ["a"])], "a", "watch one more trip or shipment", hint: "add", for: [.chooser]),
        KeyBinding(
            .list, [(.stopWatching, ["D"])], "D", "stop watching; the trip continues", hint: "stop watching", shortHint: "remove",
            for: [.chooser]),
        KeyBinding(.list, [(.back, ["esc"]), (.tripList, ["L"])], "Esc  L", "back to the trip you came from", for: [.chooser]),
        KeyBinding(.map, [(.follow, ["f"])], "f", "follow the car, on or off", hint: "follow"),
        KeyBinding(
            .map,
            [
                (.panLeft, ["left", "h"]), (.panDown, ["down", "j"]), (.panUp, ["up", "k"]), (.panRight, ["right", "l"]),
            ], "arrows  h j k l", "pan the map and turn follow off", hintKeys: "hjkl", hint: "pan", for: [.rider, .driver]),
        KeyBinding(
            .map, [(.panLeft, ["h"]), (.panDown, ["down", "j"]), (.panUp, ["up", "k"]), (.panRight, ["l"])], "h j k l  up down",
            "pan the map and turn follow off", hintKeys: "hjkl", hint: "pan", for: [.viewer]),
        KeyBinding(
            .map, [(.zoomIn, ["+", "="]), (.zoomOut, ["-", "_"]), (.fitRoute, ["0"])], "+  -  0", "zoom in, out, fit the route",
            hintKeys: "+ -", hint: "zoom"),
        KeyBinding(
            .map, [(.centerVehicle, ["c"]), (.ownPosition, ["g"])], "c  g", "go to the car, to my position"),
        KeyBinding(
            .map, [(.nextMarker, ["n"]), (.previousMarker, ["p"]), (.openMarker, ["enter"])], "n  p  Enter",
            "next, previous marker; go to it", for: [.rider, .viewer]),
        KeyBinding(.map, [(.search, ["/"])], "/", "find a place, street or stop", hint: "search"),
        KeyBinding(
            .trip, [(.nextTrip, ["tab"]), (.previousTrip, ["shift-tab"]), (.selectTrip, (1...9).map { "\($0)" })], "Tab  1-9",
            "next trip, trip by number", hintKeys: "1-9", hint: "trip", for: [.rider]),
        KeyBinding(
            .trip, [(.tripList, ["L"]), (.addTrip, ["a"]), (.stopWatching, ["D"])], "L  a  D", "list of trips, add, remove",
            hintKeys: "L", hint: "list", for: [.rider]),
        KeyBinding(.trip, [(.stops, ["w"])], "w", "stops and times", hint: "stops", for: [.rider, .driver, .chooser]),
        KeyBinding(.trip, [(.events, ["e"])], "e", "everything that happened", hint: "events", for: [.rider, .driver, .chooser]),
        KeyBinding(.trip, [(.events, ["w"])], "w", "everything that happened", hint: "events", for: [.viewer]),
        KeyBinding(
            .trip, [(.share, ["s"]), (.shareLink, ["S"])], "s  S", "copy status line, share a link", hintKeys: "s", hint: "copy status",
            shortHint: "status", for: [.rider]),
        KeyBinding(
            .trip, [(.share, ["s"])], "s", "copy a one-line status to share", hint: "copy status", shortHint: "status", for: [.chooser]),
        KeyBinding(.trip, [(.refresh, ["r", "ctrl-r"])], "r", "refresh now", hint: "refresh", for: [.rider, .chooser]),
        KeyBinding(.trip, [(.details, ["d"])], "d", "connection and last error", hint: "details", for: everywhere),
        KeyBinding(
            .trip, [(.copyMessage, ["y"])], "y", "copy the last error message", hint: "copy message", shortHint: "copy",
            for: [.rider, .chooser]),
        KeyBinding(
            .trip, [(.cancelTrip, ["x"])], "x", "cancel the trip; asks you first", hint: "cancel trip", shortHint: "cancel",
            for: [.rider, .viewer, .chooser]),
        KeyBinding(.look, [(.theme, ["t"])], "t", "next theme", hint: "theme", for: everywhere),
        KeyBinding(.look, [(.painter, ["m"])], "m", "map drawing style", hint: "map style"),
        KeyBinding(.look, [(.baseMap, ["b"])], "b", "base map on or off", hint: "base map"),
        KeyBinding(.look, [(.units, ["u"])], "u", "switch units: metric, US, UK", hint: "units", for: everywhere),
        KeyBinding(.program, [(.help, ["?", "f1"])], "?  F1", "this help", hintKeys: "?", hint: "help", for: everywhere),
        KeyBinding(.program, [(.back, ["esc"])], "Esc", "close, go back, follow the car"),
        KeyBinding(
            .program, [(.redraw, ["ctrl-l"]), (.suspend, ["ctrl-z"])], "Ctrl-L  Ctrl-Z", "redraw; suspend (back with fg)",
            for: everywhere),
        KeyBinding(
            .program, [(.quit, ["q", "ctrl-c"])], "q  Ctrl-C", "quit; the trip continues", hintKeys: "q", hint: "quit",
            for: [.rider, .chooser]),
        KeyBinding(.program, [(.quit, ["q", "ctrl-c"])], "q  Ctrl-C", "quit", hintKeys: "q", hint: "quit", for: [.viewer]),
        KeyBinding(
            .program, [(.quit, ["q", "ctrl-c"])], "q  Ctrl-C", "end the shift and go offline", hintKeys: "q", hint: "end the shift",
            shortHint: "quit", for: [.driver]),
    ]
}
