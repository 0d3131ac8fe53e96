extension KeyMap {
    /// The keys as they come.
    package static let standard = KeyMap([
        KeyBinding(.map, [(.follow, ["f"])], "f", "follow the car, on or off", hint: "follow"),
        KeyBinding(
            .map,
            [
                (.panLeft, ["left", "h"]), (.panDown, ["down", "j"]), (.panUp, ["up", "k"]), (.panRight, ["right", "l"]),
            ], "arrows  h j k l", "pan the map (follow turns off)", hintKeys: "hjkl", hint: "pan"),
        KeyBinding(
            .map, [(.zoomIn, ["+", "="]), (.zoomOut, ["-", "_"]), (.fitRoute, ["0"])], "+  -  0", "zoom in, out, fit the route",
            hintKeys: "+ -", hint: "zoom"),
        KeyBinding(
            .map, [(.centerVehicle, ["c"]), (.ownPosition, ["g"])], "c  g", "go to the car, to my position"),
        KeyBinding(
            .map, [(.nextMarker, ["n"]), (.previousMarker, ["p"]), (.openMarker, ["enter"])], "n  p  Enter",
            "next, previous marker, go to it"),
        KeyBinding(
            .trip, [(.nextTrip, ["tab"]), (.previousTrip, ["shift-tab"]), (.selectTrip, (1...9).map { "\($0)" })], "Tab  1-9",
            "next trip, trip by number", hintKeys: "1-9", hint: "trip"),
        KeyBinding(.trip, [(.stops, ["w"])], "w", "stops and times", hint: "stops"),
        KeyBinding(.trip, [(.events, ["e"])], "e", "everything that happened", hint: "events"),
        KeyBinding(.trip, [(.share, ["s"])], "s", "copy a one-line status to share", hint: "share line", shortHint: "share"),
        KeyBinding(.trip, [(.refresh, ["r", "ctrl-r"])], "r", "ask the server again now", hint: "ask now"),
        KeyBinding(.trip, [(.details, ["d"])], "d", "connection and last error", hint: "details"),
        KeyBinding(.trip, [(.copyMessage, ["y"])], "y", "copy the last error message", hint: "copy message", shortHint: "copy"),
        KeyBinding(.trip, [(.cancelTrip, ["x"])], "x", "cancel trip (asks first)", hint: "cancel trip", shortHint: "cancel"),
        KeyBinding(.look, [(.theme, ["t"])], "t", "next theme", hint: "theme"),
        KeyBinding(.look, [(.painter, ["m"])], "m", "other characters for the map", hint: "painter"),
        KeyBinding(.look, [(.baseMap, ["b"])], "b", "base map on or off", hint: "base map"),
        KeyBinding(.look, [(.units, ["u"])], "u", "next units: metric, US, UK", hint: "units"),
        KeyBinding(.program, [(.help, ["?", "f1"])], "?  F1", "this help", hintKeys: "?", hint: "help"),
        KeyBinding(.program, [(.back, ["esc"])], "Esc", "close, go back, follow again"),
        KeyBinding(.program, [(.suspend, ["ctrl-z"])], "Ctrl-Z", "suspend; fg brings it back"),
        KeyBinding(.program, [(.quit, ["q", "ctrl-c"])], "q  Ctrl-C", "quit; the trip goes on", hintKeys: "q", hint: "quit"),
    ])
}
