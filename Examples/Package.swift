// swift-tools-version: 6.2
import PackageDescription

/// Returns the target of an example. `libraries` are the tripwatch libraries that the example uses. It demonstrates the first
/// of them.
func example(_ name: String, _ libraries: [String]) -> Target {
    .executableTarget(name: name, dependencies: libraries.map { .product(name: $0, package: "tripwatch") })
}

let package = Package(
    name: "Examples",
    dependencies: [.package(name: "tripwatch", path: "..")],
    targets: [
        example("FollowTrip", ["JourneySharing", "FleetEngineGRPC", "FleetEngine"]),
        example("DrawMap", ["ConsumerMap", "JourneySharing", "FleetEngineGRPC", "FleetEngine", "TerminalCanvas"]),
        example("BeDriver", ["Driver", "Navigation", "Routing", "FleetEngineGRPC", "FleetEngine", "Geo"]),
        example("Navigate", ["Navigation", "Routing", "Geo"]),
        example("ReadErrors", ["FleetEngine", "Geo"]),
        example("ConnectClient", ["FleetEngineGRPC", "FleetEngine"]),
        example("EmbedEngine", ["LocalFleetEngine", "FleetEngineCore", "FleetEngineSnapshot", "FleetEngineAPI", "FleetEngine"]),
    ],
    swiftLanguageModes: [.v6]
)
