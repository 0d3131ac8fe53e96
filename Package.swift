// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let swiftProtobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let grpcCore = Target.Dependency.product(name: "GRPCCore", package: "grpc-swift-2")
let grpcProtobuf = Target.Dependency.product(name: "GRPCProtobuf", package: "grpc-swift-protobuf")
let grpcTransport = Target.Dependency.product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")

/// A module of the house. What it may import is what stands here; arrows run downwards only (Sources/README.md).
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "tripwatch",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0", traits: []),
        .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", exact: "2.9.2"),
        .package(url: "https://github.com/grpc/grpc-swift-protobuf", exact: "2.4.1"),
    ],
    targets: [
        .executableTarget(
            name: "tripwatch",
            dependencies: [
                "TripWatchApp", "LocalFleetEngine", "TripRecording", "FleetEngineGRPC", "JourneySharing", "FleetEngine", "Geo",
                argumentParser,
            ], swiftSettings: strict
        ),
        .target(
            name: "TripWatchApp", dependencies: ["JourneySharing", "FleetEngine", "Geo"], exclude: ["Screen", "Theming"],
            swiftSettings: strict),
        module(
            "LocalFleetEngine",
            ["FleetEngineAPI", "FleetEngine", "DemoTown", "Geo", swiftProtobuf, grpcCore, grpcProtobuf, grpcTransport]),
        module("JourneySharing", ["FleetEngine", "Geo"]),
        module("TripRecording", ["FleetEngine", "Geo"]),
        module("DemoTown", ["Geo"]),
        module("FleetEngineGRPC", ["FleetEngineAPI", "FleetEngine", "Geo", swiftProtobuf, grpcCore, grpcProtobuf, grpcTransport]),
        module("FleetEngine", ["Geo"]),
        module("FleetEngineAPI", [swiftProtobuf, grpcCore, grpcProtobuf], exclude: ["Protos", "Generated/FINGERPRINT"]),
        module("Geo"),
        module("TripTesting", ["FleetEngineAPI", "FleetEngine", swiftProtobuf, grpcCore, grpcTransport]),
        tests("GeoTests", ["Geo"]),
        tests("HouseTests", []),
        tests("FleetEngineTests", ["FleetEngine", "TripTesting"]),
        tests("FleetEngineGRPCTests", ["FleetEngineGRPC", "FleetEngineAPI", "FleetEngine", grpcCore, grpcTransport, swiftProtobuf]),
        tests("TripWatchAppTests", ["TripWatchApp", "JourneySharing", "FleetEngine", "Geo"], exclude: ["Theming", "Screen"]),
        tests(
            "JourneySharingTests",
            ["JourneySharing", "TripTesting", "FleetEngine", "FleetEngineAPI", "FleetEngineGRPC", "Geo", grpcCore, swiftProtobuf]),
    ],
    swiftLanguageModes: [.v6]
)
