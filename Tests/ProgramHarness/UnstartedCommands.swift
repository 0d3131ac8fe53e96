/// The commands on the pages in docs/ that `ReadmeTests` does not start, and the reasons.
enum UnstartedCommands {
    struct Entry: Sendable {
        let page: String
        /// The first words of the command, without `tripwatch`.
        let start: String
        let reason: String
    }

    static let all = [
        Entry(page: "driving.md", start: "drive --gpsd", reason: "needs a gpsd; the tests of sources start one if it is installed"),
        Entry(page: "driving.md", start: "drive --stdin owntracks", reason: "needs an MQTT broker"),
        Entry(page: "driving.md", start: "drive --delivery", reason: "the tests of a delivery vehicle's driver run it"),
        Entry(page: "driving.md", start: "drive --replay log.json", reason: "needs a log of that vehicle"),
        Entry(page: "following.md", start: "follow --provider PROVIDER --tracking", reason: "the tests of shipments run it"),
        Entry(page: "following.md", start: "status --provider PROVIDER --tracking", reason: "the tests of shipments run it"),
        Entry(page: "following.md", start: "wait --provider PROVIDER --tracking", reason: "the tests of shipments run it"),
        Entry(page: "maps.md", start: "follow TRIP --basemap berlin.mbtiles", reason: "no MBTiles file is in the sources"),
        Entry(page: "maps.md", start: "map 48.2,16.37 --basemap", reason: "needs a tile server of the network"),
        Entry(page: "sharing.md", start: "share --tracking", reason: "the tests of shared shipments run it"),
        Entry(page: "testing.md", start: "serve --seed", reason: "the tests of serve run the whole page"),
        Entry(page: "testing.md", start: "status providers/demo/trips/ride-1", reason: "the tests of serve run the whole page"),
    ]

    /// Returns the entry for a call on a page; nil if a test starts the call.
    static func entry(of call: [String], on page: String) -> Entry? {
        let words = call.joined(separator: " ")
        return all.first { page.hasSuffix("/" + $0.page) && words.hasPrefix($0.start) }
    }
}
