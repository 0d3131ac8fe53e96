// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let swiftProtobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let grpcCore = Target.Dependency.product(name: "GRPCCore", package: "grpc-swift-2")
let grpcProtobuf = Target.Dependency.product(name: "GRPCProtobuf", package: "grpc-swift-protobuf")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grpcTransport = Target.Dependency.product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")

/// A module of the house. It may import the modules listed here; arrows run downwards only (Sources/README.md).
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// What `--version` names beside the version: letters, digits and hyphens, as `packaging/build` sets it.
let buildWord = Context.environment["TRIPWATCH_BUILD"].flatMap { word in
    word.isEmpty || word.contains { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "-") } ? nil : word
}

/// The colours that come with the program.
let themeFiles = [
    "colour-blind-light.toml", "colour-blind.toml", "harbour-dark.toml", "harbour-light.toml", "harbour.toml",
    "high-contrast-light.toml", "high-contrast.toml", "mono.toml", "terminal-16.toml",
]

/// Every module that another program can use is a separate library.
let libraries = [
    "JourneySharing", "ConsumerMap", "Driver", "LocationSources", "Navigation", "Routing", "FleetEngine", "FleetEngineAPI",
    "FleetEngineGRPC", "ProviderBackend", "FleetEngineAccess", "FleetEngineCore", "LocalFleetEngine", "HTTPServing", "PhoneIntake", "TripRecording",
    "TerminalMap", "OverlayFiles", "TerminalCanvas", "TerminalScreen", "MapRouting", "WebRouting", "OnlineTiles", "TileSources",
    "VectorTiles", "Geo", "TripTesting",
]

let package = Package(
    name: "tripwatch",
    products: [.executable(name: "tripwatch", targets: ["tripwatch"])] + libraries.map { .library(name: $0, targets: [$0]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
        // The order of its shutdown is relied on.
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", .upToNextMinor(from: "2.9.2")),
        .package(url: "https://github.com/grpc/grpc-swift-protobuf", from: "2.4.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .executableTarget(
            name: "tripwatch",
            dependencies: [
                "TripWatchRuntime", "TripWatchSharing", "TripWatchWords", "TripWatchSettings", "ProgramSurroundings", "LocalFleetEngine", "HTTPServing", "FleetEngineCore", "FleetEngineAccess",
                "JourneySharing", "LocationSources",
                "Driver", "Navigation", "FleetEngineGRPC", "ProviderBackend", "TripRecording",
                "TerminalScreen", "TerminalCanvas",
                "FleetEngine", "Geo", "CBuild", argumentParser,
            ],
            swiftSettings: strict),
        module(
            "TripWatchRuntime",
            [
                "TripWatchSharing", "TripWatchScreen", "TripWatchWords", "TripWatchSettings",
                "ProgramSurroundings", "TripWatchApp", "ConsumerMap", "LocalFleetEngine",
                "FleetEngineAccess", "HTTPServing", "FleetEngineCore", "JourneySharing", "Driver", "FleetEngineGRPC",
                "LocationSources", "ProviderBackend", "TripRecording",
                "MapRouting", "WebRouting", "Navigation",
                "Routing", "OverlayFiles", "TerminalMap", "OnlineTiles", "TileSources",
                "TerminalScreen", "FleetEngine", "VectorTiles",
                "TerminalCanvas", "Geo", "HTTPCalls", "Files", logging, crypto,
                subprocess, systemPackage,
            ]),
        module(
            "TripWatchSharing",
            ["TripWatchScreen", "TripWatchWords", "ConsumerMap", "JourneySharing", "FleetEngine", "TerminalCanvas", "Geo"]),
        module(
            "TripWatchScreen",
            "ProgramSurroundings",
            [
                "TripWatchApp", "ProviderBackend", "TerminalScreen", "CTerminal",
                logging,
                subprocess, systemPackage,
            ]),
            [
                "TripWatchWords", "TripWatchSettings", "ConsumerMap", "JourneySharing", "Driver", "Navigation", "Routing", "TerminalMap",
                "FleetEngine", "VectorTiles", "TerminalCanvas", "Geo",
            ]),
        module("TripWatchWords", ["TripWatchSettings", "JourneySharing", "FleetEngine", "TerminalCanvas", "Geo", "CQRCode"]),
        module(
            "TripWatchSettings",
            [
                "JourneySharing", "Navigation", "TerminalMap", "FleetEngine", "VectorTiles", "TerminalCanvas", "TOMLText", "Themes", "Geo",
            ]),
        module(
            "TripTesting",
            ["FleetEngineAPI", "FleetEngine", "TerminalCanvas", swiftProtobuf, grpcCore, grpcTransport, nioCore, nioPosix]),
        module("ConsumerMap", ["JourneySharing", "TerminalMap", "FleetEngine", "TerminalCanvas", "Geo"]),
        module(
            "LocalFleetEngine",
            [
                "FleetEngineCore", "FleetEngineAccess", "FleetEngineWire", "FleetEngineAPI", "FleetEngine", "PhoneIntake", "Routing", "HTTPServing", "Files",
                "Geo", "GRPCServing",
                "SQLiteFile", "CSQLite", swiftProtobuf, grpcCore, grpcProtobuf, hummingbird, nioCore,
                nioSSL, heap,
                nioPosix, deque, logging,
            ]),
        module(
            "FleetEngineCore",
            ["FleetEngineWire", "FleetEngineAPI", "FleetEngine", "PhoneIntake", "Routing", "Geo", swiftProtobuf, deque, heap, crypto]),
        module("JourneySharing", ["FleetEngine", "Geo", deque, heap]),
        module("Driver", ["FleetEngine", "Navigation", "Routing", "Geo"]),
        module(
            "FleetEngineGRPC",
            [
                "FleetEngineWire", "FleetEngineAPI", "FleetEngine", "HTTPCalls", swiftProtobuf, grpcCore, grpcProtobuf, grpcTransport,
                nioCore, nioHTTP2, nioHPACK,
            ]),
        module("ProviderBackend", ["FleetEngineWire", "FleetEngine", "HTTPCalls", "Files", "Geo", subprocess, systemPackage]),
        module("WebRouting", ["Routing", "HTTPCalls", "FleetEngine", "Geo"]),
        module("HTTPCalls", ["FleetEngine", asyncHTTPClient, nioCore, nioHTTP1, nioPosix, nioSSL]),
        module(
            "OnlineTiles",
            [
                "TileSources", "VectorTiles", "FleetEngine", "HTTPCalls", "SQLiteFile", "CSQLite", "Geo", nioHTTP1, nioSSL, crypto,
            ]),
        module("TripRecording", ["FleetEngineWire", "FleetEngineAPI", "FleetEngine", "Geo", "CZlib", swiftProtobuf]),
        module(
            "LocationSources", ["Navigation", "Routing", "TripRecording", "PhoneIntake", "FleetEngine", "Files", "Geo", "CZlib", deque]),
        module("Navigation", ["Routing", "Geo"]),
        module("MapRouting", ["Routing", "VectorTiles", "Geo"]),
        module("Routing", ["Geo"]),
        module("PhoneIntake", ["FleetEngine", "Geo"]),
        module("OverlayFiles", ["TerminalMap", "TerminalCanvas", "Geo"]),
        module("TerminalMap", ["TerminalCanvas", "VectorTiles", "Geo"]),
        module("TileSources", ["VectorTiles", "Files", "Geo", "CTown", "CZlib", "SQLiteFile", "CSQLite"]),
        module("TerminalScreen", ["TerminalCanvas", "CNCurses", "CTerminal"]),
        module("FleetEngineAccess", ["FleetEngine", "Geo", jwtKit, crypto, cryptoExtras]),
        module("FleetEngineWire", ["FleetEngineAPI", "FleetEngine", "Geo", swiftProtobuf]),
        module("FleetEngine", ["Geo"]),
        module("FleetEngineAPI", [swiftProtobuf, grpcCore, grpcProtobuf], exclude: ["Protos", "Generated/FINGERPRINT"]),
        module("GRPCServing", ["CZlib", grpcCore, nioCore, nioHTTP2, nioHPACK, nioTLS]),
        module("HTTPServing", ["FleetEngine", "CZlib", hummingbird, nioCore, nioPosix, nioHTTP1, nioSSL, logging]),
        module("SQLiteFile", ["CSQLite"]),
        module("Files"),
        module("VectorTiles", ["Geo"]),
        module("TerminalCanvas"),
        module("TOMLText"),
        .target(name: "Themes", path: "themes", resources: themeFiles.map { .embedInCode($0) }, swiftSettings: strict),
        module("Geo"),
        .target(name: "CNCurses", linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "CQRCode", linkerSettings: [.linkedLibrary("qrencode")]),
        .target(
            name: "CBuild",
            cSettings: buildWord.map { [.define("TRIPWATCH_BUILD", to: "\"\($0)\"")] }),
        .target(name: "CTerminal"),
        .target(name: "CTown", exclude: ["town.pmtiles", "FINGERPRINT"]),
        .systemLibrary(name: "CSQLite"),
        .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),

        tests("HouseTests", []),
        tests("GeoTests", ["Geo"]),
        tests("FilesTests", ["Files"]),
        tests("TerminalCanvasTests", ["TerminalCanvas", "Geo"]),
        tests("TOMLTextTests", ["TOMLText", "Geo"]),
        tests("VectorTilesTests", ["VectorTiles", "Geo"]),
        .executableTarget(
            name: "TileFuzz", dependencies: ["TileSources", "VectorTiles", "SQLiteFile", "Geo"], path: "Tests/TileFuzz",
            swiftSettings: strict),
        tests("TileSourcesTests", ["TileSources", "TileFuzz", "VectorTiles", "SQLiteFile", "Geo"]),
        tests("OnlineTilesTests", ["OnlineTiles", "TileFuzz", "VectorTiles", "Geo", "HTTPCalls", "FleetEngine", "TripTesting", nioHTTP1]),
        tests("MapFileTests", ["TerminalMap", "TileSources", "VectorTiles", "TerminalCanvas", "Geo"]),
        tests("TerminalMapTests", ["TerminalMap", "TerminalCanvas", "VectorTiles", "Geo"], exclude: ["Frames"]),
        tests("OverlayFilesTests", ["OverlayFiles", "TerminalMap", "TerminalCanvas", "Geo"]),
        .executableTarget(
            name: "TerminalScreenProbe", dependencies: ["TerminalScreen", "TerminalCanvas"], path: "Tests/TerminalScreenProbe",
            swiftSettings: strict),
        .target(name: "TerminalHarness", dependencies: ["TerminalCanvas"], path: "Tests/TerminalHarness", swiftSettings: strict),
        tests(
            "TerminalScreenTests",
            ["TerminalScreen", "TerminalScreenProbe", "TerminalHarness", "TerminalCanvas", "CTerminal", "CNCurses", "Geo"]),
        tests("FleetEngineAPITests", ["FleetEngineAPI", swiftProtobuf]),
        tests("FleetEngineWireTests", ["FleetEngineWire", "FleetEngineAPI", "FleetEngine", "Geo", swiftProtobuf]),
        tests("FleetEngineAccessTests", ["FleetEngineAccess", "FleetEngine", "Geo", jwtKit, crypto, cryptoExtras]),
        tests("FleetEngineTests", ["FleetEngine", "TripTesting", "Geo"]),
        tests(
            "TripTestingTests",
            ["TripTesting", "FleetEngineGRPC", "FleetEngineAPI", "FleetEngine", "TerminalCanvas", swiftProtobuf, grpcCore]),
        tests(
            "FleetEngineGRPCTests",
            [
                "FleetEngineGRPC", "FleetEngineAPI", "FleetEngine", "TripTesting", "Geo", grpcCore, grpcTransport, swiftProtobuf, nioCore,
                nioPosix, nioSSL,
            ]),
        tests(
            "ProviderBackendTests", ["ProviderBackend", "FleetEngine", "TripTesting", "Geo", nioCore, nioPosix]),
        tests("PhoneIntakeTests", ["PhoneIntake", "FleetEngine", "Geo"]),
        tests("RoutingTests", ["Routing", "Geo"]),
        tests(
            "WebRoutingTests", ["WebRouting", "MapRouting", "TileSources", "Routing", "FleetEngine", "TripTesting", "Geo"],
            exclude: ["Fixtures"]),
        tests("MapRoutingTests", ["MapRouting", "Routing", "TileSources", "VectorTiles", "Geo"]),
        tests("NavigationTests", ["Navigation", "Routing", "Geo"], exclude: ["Golden"]),
        tests(
            "LocationSourcesTests",
            ["LocationSources", "TripRecording", "PhoneIntake", "Navigation", "Routing", "FleetEngine", "TripTesting", "Geo", "CZlib"],
            exclude: ["Fixtures"]),
        tests("DriverTests", ["Driver", "TripTesting", "FleetEngine", "Navigation", "Routing", "Geo"]),
        tests(
            "TripRecordingTests", ["TripRecording", "FleetEngineAPI", "FleetEngineWire", "FleetEngine", "Geo", "CZlib", swiftProtobuf],
            exclude: ["Fixtures"]),
        .target(
            name: "ServerHarness", dependencies: [nioCore, nioPosix, nioSSL], path: "Tests/ServerHarness", swiftSettings: strict),
        tests("HTTPServingTests", ["HTTPServing", "ServerHarness", nioCore]),
        tests("GRPCServingTests", ["GRPCServing", "Geo", grpcCore, nioCore, nioHPACK]),
        tests(
            "LocalFleetEngineTests",
            [
                "LocalFleetEngine", "ServerHarness", "FleetEngineCore", "FleetEngineAccess", "FleetEngineWire", "FleetEngineAPI", "FleetEngineGRPC",
                "FleetEngine", "ProviderBackend", "HTTPCalls", "TripTesting", "PhoneIntake", "Routing", "GRPCServing", "HTTPServing",
                "SQLiteFile", "Geo", "CZlib", swiftProtobuf, grpcCore, grpcTransport, grpcProtobuf, nioCore, nioPosix, nioHTTP2, nioHPACK,
            ]),
        tests(
            "JourneySharingTests",
            [
                "JourneySharing", "TripTesting", "FleetEngine", "FleetEngineAPI", "FleetEngineWire", "FleetEngineGRPC", "Geo", grpcCore,
                swiftProtobuf,
            ]),
        tests("ConsumerMapTests", ["ConsumerMap", "JourneySharing", "TripTesting", "TerminalMap", "FleetEngine", "TerminalCanvas", "Geo"]),
        tests(
            "TripWatchSettingsTests",
            ["TripWatchSettings", "JourneySharing", "TerminalMap", "VectorTiles", "TerminalCanvas", "TOMLText", "Themes", "Geo"]),
        tests("TripWatchWordsTests", ["TripWatchWords", "TripWatchSettings", "JourneySharing", "FleetEngine", "Geo"]),
        tests(
            "TripWatchScreenTests",
            [
                "TripWatchScreen", "TripWatchWords", "TripWatchSettings", "TripTesting", "ConsumerMap", "JourneySharing", "Driver",
                "Navigation", "Routing", "TerminalMap", "FleetEngine", "VectorTiles", "TerminalCanvas", "Geo",
            ]),
        tests(
            "TripWatchSharingTests",
            [
                "TripWatchSharing", "TripWatchScreen", "TripWatchWords", "TripWatchSettings", "ConsumerMap", "JourneySharing",
                "TerminalMap", "FleetEngine", "TerminalCanvas", "Geo",
            ]),
        tests(
            "EndToEndTests",
            [
                "tripwatch", "TripWatchRuntime", "ProgramSurroundings", "LocalFleetEngine", "TripTesting", "TerminalHarness",
                "FleetEngineAPI", "FleetEngine",
                "Driver", "FleetEngineGRPC", "MapRouting", "Navigation", "Routing", "Geo", "TripWatchScreen", "TripWatchWords",
                "TripWatchSettings", "TerminalScreen",
                "TerminalCanvas",
                "TileSources", "TileFuzz", "VectorTiles",
                swiftProtobuf,
                grpcCore, crypto,
            ],
            exclude: ["Interop", "Fixtures"]),
    ],
    swiftLanguageModes: [.v6]
)
