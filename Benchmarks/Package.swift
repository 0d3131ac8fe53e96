// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds tripwatch builds the harness: see README.md beside it.
func benchmarks(_ name: String, _ products: [String], extra: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "Benchmark", package: "benchmark")] + products.map { .product(name: $0, package: "tripwatch") }
            + extra,
        path: "Benchmarks/\(name)",
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
    name: "tripwatch-benchmarks",
    dependencies: [
        .package(name: "tripwatch", path: ".."),
        .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", exact: "2.9.2"),
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        benchmarks("Map", ["TerminalMap", "TerminalCanvas", "VectorTiles", "TileSources", "DemoTown", "Geo"]),
        benchmarks("Trips", ["JourneySharing", "TripTesting", "FleetEngine", "Geo"]),
        benchmarks(
            "Engine", ["LocalFleetEngine", "FleetEngineGRPC", "FleetEngine", "DemoTown", "Geo"],
            extra: [
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
