// swift-tools-version: 6.2
import PackageDescription

/// Returns products of the tripwatch package as dependencies.
func products(_ names: [String]) -> [Target.Dependency] { names.map { .product(name: $0, package: "tripwatch") } }

/// Returns a program with benchmarks.
func benchmarks(_ name: String, _ names: [String], extra: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "Benchmark", package: "benchmark")] + products(names) + extra,
        path: "Benchmarks/\(name)",
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

// The benchmarks have a package of their own, so that a build of tripwatch does not build them: see Benchmarks/README.md.
let package = Package(
    name: "tripwatch-benchmarks",
    dependencies: [
        .package(name: "tripwatch", path: ".."),
        .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", exact: "2.9.2"),
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        .target(
            name: "Scenery",
            dependencies: products(["TerminalMap", "TerminalCanvas", "VectorTiles", "TileSources", "Geo"]), path: "Scenery",
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(
            name: "Counts", dependencies: ["Scenery"] + products(["TileSources", "VectorTiles"]), path: "Counts", exclude: ["count.py"]),
        benchmarks(
            "Map", ["TerminalCanvas", "TerminalScreen", "TileSources", "VectorTiles", "Geo"], extra: ["Scenery"]),
        benchmarks("Drives", ["Navigation", "Routing", "Geo"]),
        benchmarks("Trips", ["JourneySharing", "TripTesting", "FleetEngine", "Geo"]),
        benchmarks(
            "Engine", ["LocalFleetEngine", "FleetEngineCore", "FleetEngineGRPC", "FleetEngine", "Geo"],
            extra: [
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
