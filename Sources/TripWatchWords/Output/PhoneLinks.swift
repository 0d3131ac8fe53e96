import FleetEngine
package import FoundationEssentials

/// Complete addresses that set up phone apps to report a car's position. Users would make mistakes if they typed the addresses.
package struct PhoneLinks: Hashable, Sendable {
    /// The apps that a QR code can set up.
    package enum App: String, CaseIterable, Hashable, Sendable {
        case owntracks, traccar

        /// The instructions beside the QR code, in two lines.
        package var instructions: [String] {
            switch self {
            case .owntracks:
                ["1. Install OwnTracks on the phone.", "2. Scan the code with the phone's camera, and open the link in OwnTracks."]
            case .traccar:
                ["1. Install Traccar Client on the phone.", "2. In the app's settings, tap the QR code icon, and scan the code."]
            }
        }
    }

    /// The reporting interval configured in the apps, in seconds.
    private static let interval = 10
    /// The accuracy limit configured in OwnTracks, in metres. OwnTracks drops positions that are less accurate.
    private static let worstAccuracy = 200

    private let base: String
    private let vehicle: String
    private let key: String
    private let keyEnd: Date?

    /// - Parameters:
    ///   - base: address of the provider API for phones, without a trailing slash.
    ///   - vehicle: bare id of the car.
    ///   - keyEnd: time at which the key expires; nil if the key never expires.
    package init(base: String, vehicle: String, key: String, keyEnd: Date? = nil) {
        self.base = base
        self.vehicle = vehicle
        self.key = key
        self.keyEnd = keyEnd
    }

    private var car: String { base + "/car/" + key }

    /// Returns the link in the QR code. The link for Traccar Client turns off the app's stop detection, which would keep a waiting car from
    /// sending positions.
    package func link(_ app: App) -> String {
        switch app {
        case .owntracks: "owntracks:///config?inline=" + PercentEncoding.segment(Data(ownTracksConfiguration.utf8).base64EncodedString())
        case .traccar:
            "\(car)/traccar?id=\(PercentEncoding.segment(vehicle))&interval=\(Self.interval)&distance=0&accuracy=highest&buffer=true"
                + "&stop_detection=false"
        }
    }

    /// The address for OsmAnd's online tracking. It includes the arrival times and distances of OsmAnd's navigation.
    package var osmand: String {
        car + "/osmand?lat={0}&lon={1}&timestamp={2}&altitude={4}&speed={5}&bearing={6}"
            + "&eta={7}&eta_next={8}&left_m={9}&left_next_m={10}"
    }

    /// The custom URL for GPSLogger.
    package var gpslogger: String {
        car + "/gpslogger?lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&speed=%SPD&bearing=%DIR&altitude=%ALT&accuracy=%ACC"
    }

    /// One JSON object on one line: `vehicle`, `key`, `key_end`, and `links` by app.
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

    /// The settings of OwnTracks for HTTP mode. OwnTracks sends a position every ten seconds, even while the car is standing still.
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
