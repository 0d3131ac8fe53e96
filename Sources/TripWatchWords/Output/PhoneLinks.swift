import FleetEngine
package import FoundationEssentials

/// The addresses that set apps up to report a car, ready-made: whoever writes one by hand gets it wrong.
package struct PhoneLinks: Hashable, Sendable {
    /// The apps that a QR code sets up.
    package enum App: String, CaseIterable, Hashable, Sendable {
        case owntracks, traccar

        /// What to do with the QR code, in two lines.
        package var instructions: [String] {
            switch self {
            case .owntracks:
                ["1. Install OwnTracks on the phone.", "2. Scan the code with the phone's camera, and open the link in OwnTracks."]
            case .traccar:
                ["1. Install Traccar Client on the phone.", "2. In its settings choose the QR code sign, and scan the code."]
            }
        }
    }

    /// Seconds between two reports that are asked of the apps.
    private static let interval = 10
    /// OwnTracks leaves out positions that are less accurate, metres.
    private static let worstAccuracy = 200

    private let base: String
    private let vehicle: String
    private let key: String
    private let keyEnd: Date?

    /// - Parameters:
    ///   - base: where the desk is reached from a phone, without a slash at its end.
    ///   - vehicle: the car's bare id.
    ///   - keyEnd: from when on the key opens nothing; nil for never.
    package init(base: String, vehicle: String, key: String, keyEnd: Date? = nil) {
        self.base = base
        self.vehicle = vehicle
        self.key = key
        self.keyEnd = keyEnd
    }

    private var car: String { base + "/car/" + key }

    /// The link behind the QR code. Traccar Client's own stop detection would leave a car that waits without positions.
    package func link(_ app: App) -> String {
        switch app {
        case .owntracks: "owntracks:///config?inline=" + PercentEncoding.segment(Data(ownTracksConfiguration.utf8).base64EncodedString())
        case .traccar:
            "\(car)/traccar?id=\(PercentEncoding.segment(vehicle))&interval=\(Self.interval)&distance=0&accuracy=highest&buffer=true"
                + "&stop_detection=false"
        }
    }

    /// OsmAnd's online tracking, with what its navigation knows.
    package var osmand: String {
        car + "/osmand?lat={0}&lon={1}&timestamp={2}&altitude={4}&speed={5}&bearing={6}"
            + "&eta={7}&eta_next={8}&left_m={9}&left_next_m={10}"
    }

    /// GPSLogger's custom URL.
    package var gpslogger: String {
        car + "/gpslogger?lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&speed=%SPD&bearing=%DIR&altitude=%ALT&accuracy=%ACC"
    }

    /// One object on one line: `vehicle`, `key`, `key_end`, and `links` by app.
    package var json: String {
        var line = JSONLine()
        line.add("vehicle", .string(vehicle))
        line.add("key", .string(key))
        line.add("key_end", keyEnd.map(JSONText.time))
        line.add(
            "links",
            .object { links in
                for app in App.allCases { links.add(app.rawValue, .string(link(app))) }
                links.add("osmand", .string(osmand))
                links.add("gpslogger", .string(gpslogger))
                links.add("overland", .string(car + "/overland"))
                links.add("forward", .string(car + "/forward"))
            })
        return line.finished
    }

    /// HTTP mode, with a fix every ten seconds whatever the car does.
    private var ownTracksConfiguration: String {
        var line = JSONLine()
        line.add("_type", .string("configuration"))
        line.add("mode", .integer(3))
        line.add("url", .string(base + "/pub"))
        line.add("auth", .bool(true))
        line.add("username", .string(vehicle))
        line.add("password", .string(key))
        line.add("deviceId", .string(vehicle))
        line.add("monitoring", .integer(2))
        line.add("locatorInterval", .integer(Self.interval))
        line.add("moveModeLocatorInterval", .integer(Self.interval))
        line.add("ignoreInaccurateLocations", .integer(Self.worstAccuracy))
        return line.finished
    }
}
