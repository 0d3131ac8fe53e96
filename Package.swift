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

/// A module. It may import only its `dependencies`: see Sources/README.md.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// The build name that `--version` prints after the version: letters, digits and hyphens. `packaging/build` sets it.
let buildWord = Context.environment["TRIPWATCH_BUILD"].flatMap { word in
    word.isEmpty || word.contains { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "-") } ? nil : word
}

/// The themes that come with the program.
let themeFiles = [
    "colour-blind-light.toml", "colour-blind.toml", "harbour-dark.toml", "harbour-light.toml", "harbour.toml",
    "high-contrast-light.toml", "high-contrast.toml", "mono.toml", "terminal-16.toml",
]

/// The modules that other programs can use. Each of them is a separate library.
let libraries = [
    "JourneySharing", "ConsumerMap", "Driver", "LocationSources", "Navigation", "Routing", "FleetEngine", "FleetEngineAPI",
    "FleetEngineGRPC", "ProviderBackend", "FleetEngineAccess", "FleetEngineCore", "FleetEngineSnapshot", "LocalFleetEngine",
    "HTTPServing", "PhoneIntake", "TripRecording",
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
        // The program relies on this package's shutdown order, which a later minor version could change.
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
                "TripWatchOperations", "TripWatchLinks", "TripWatchRuntime", "ProgramSurroundings", "TripWatchSharing", "TripWatchScreen",
                "TripWatchWords", "TripWatchSettings", "LocalFleetEngine", "Driver", "LocationSources", "FleetEngineCore", "JourneySharing",
                "Navigation", "FleetEngineGRPC", "ProviderBackend", "TripRecording", "FleetEngineAccess", "HTTPServing", "TerminalScreen",
                "FleetEngine", "TerminalCanvas", "BoundedJSON", "Geo", "CBuild", argumentParser,
            ],
            swiftSettings: strict),
        module(
            "TripWatchOperations",
            [
                "TripWatchRuntime", "ProgramSurroundings", "TripWatchScreen", "TripWatchWords", "TripWatchSettings", "LocalFleetEngine",
                "Driver", "LocationSources", "FleetEngineCore", "FleetEngineSnapshot", "JourneySharing", "Navigation", "MapRouting",
                "WebRouting", "FleetEngineGRPC", "ProviderBackend", "OnlineTiles", "TripRecording", "FleetEngineAccess", "Routing",
                "TileSources", "HTTPServing", "TerminalScreen", "FleetEngine", "VectorTiles", "TerminalCanvas", "BoundedJSON", "Geo",
                "Files", logging,
                subprocess, systemPackage,
            ]),
        module(
            "TripWatchLinks",
            [
                "TripWatchRuntime", "ProgramSurroundings", "TripWatchSharing", "TripWatchScreen", "TripWatchWords", "TripWatchSettings",
                "ConsumerMap", "JourneySharing", "FleetEngineGRPC", "TerminalMap", "HTTPCalls", "HTTPServing", "TerminalScreen",
                "FleetEngine", "VectorTiles", "TerminalCanvas", "Geo", logging,
            ]),
        module(
            "TripWatchRuntime",
            [
                "ProgramSurroundings", "TripWatchScreen", "TripWatchWords", "TripWatchSettings", "ConsumerMap", "Driver", "LocationSources",
                "JourneySharing", "Navigation", "FleetEngineGRPC", "ProviderBackend", "OnlineTiles", "TripRecording", "OverlayFiles",
                "TerminalMap", "TileSources", "HTTPCalls", "TerminalScreen", "FleetEngine", "VectorTiles", "TerminalCanvas", "BoundedJSON",
                "Geo", "Files",
                logging, subprocess, systemPackage, crypto,
            ]),
        module(
            "ProgramSurroundings",
            [
                "TripWatchWords", "JourneySharing", "ProviderBackend", "TerminalScreen", "FleetEngine", "TerminalCanvas", "Files",
                "CTerminal", logging, subprocess, systemPackage,
            ]),
        module(
            "TripWatchSharing",
            ["TripWatchScreen", "TripWatchWords", "ConsumerMap", "JourneySharing", "FleetEngine", "TerminalCanvas", "BoundedJSON", "Geo"]),
        module(
            "TripWatchScreen",
            [
                "TripWatchWords", "TripWatchSettings", "ConsumerMap", "Driver", "JourneySharing", "Navigation", "Routing", "TerminalMap",
                "FleetEngine", "VectorTiles", "TerminalCanvas", "Geo",
            ]),
        module(
            "TripWatchWords",
            [
                "TripWatchSettings", "ConsumerMap", "Driver", "JourneySharing", "Navigation", "TripRecording", "Routing", "TerminalMap",
                "FleetEngine", "TerminalCanvas", "BoundedJSON", "Geo", "CQRCode",
            ]),
        module(
            "TripTesting",
            ["FleetEngine", "FleetEngineAPI", "TerminalCanvas", nioCore, nioPosix, swiftProtobuf, grpcCore, grpcTransport]),
        module(
            "TripWatchSettings",
            ["JourneySharing", "Navigation", "TerminalMap", "FleetEngine", "VectorTiles", "TerminalCanvas", "TOMLText", "Themes", "Geo"]),
        module("ConsumerMap", ["JourneySharing", "Navigation", "TerminalMap", "FleetEngine", "TerminalCanvas", "Geo"]),
        module(
            "LocalFleetEngine",
            [
                "FleetEngineCore", "FleetEngineSnapshot", "FleetEngineAccess", "FleetEngineWire", "PhoneIntake", "Routing", "HTTPServing",
                "FleetEngine", "FleetEngineAPI", "GRPCServing", "SQLiteFile", "BoundedJSON", "Geo", "Files", "CSQLite", hummingbird,
                nioCore, nioSSL,
                logging, nioPosix, deque, swiftProtobuf, grpcCore, grpcProtobuf,
            ]),
        module("Driver", ["Navigation", "Routing", "FleetEngine", "Geo"]),
        module(
            "LocationSources",
            ["Navigation", "TripRecording", "PhoneIntake", "Routing", "FleetEngine", "BoundedJSON", "Geo", "Files", "CZlib", deque]),
        module(
            "FleetEngineCore",
            [
                "FleetEngineSnapshot", "FleetEngineWire", "PhoneIntake", "Routing", "FleetEngine", "FleetEngineAPI", "Geo", deque, heap,
                swiftProtobuf, crypto,
            ]),
        module("FleetEngineSnapshot", ["FleetEngineWire", "FleetEngine", "FleetEngineAPI", "BoundedJSON", "Geo", swiftProtobuf]),
        module("JourneySharing", ["FleetEngine", "Geo", deque, heap]),
        module("Navigation", ["Routing", "Geo"]),
        module("MapRouting", ["Routing", "VectorTiles", "Geo"]),
        module("WebRouting", ["Routing", "HTTPCalls", "FleetEngine", "BoundedJSON", "Geo"]),
        module(
            "FleetEngineGRPC",
            [
                "FleetEngineWire", "HTTPCalls", "FleetEngine", "FleetEngineAPI", "HTTP2Frames", nioCore, nioHTTP2, nioHPACK, nioSSL,
                swiftProtobuf, grpcCore, grpcProtobuf, grpcTransport,
            ]),
        module(
            "ProviderBackend", ["FleetEngineWire", "HTTPCalls", "FleetEngine", "BoundedJSON", "Geo", "Files", subprocess, systemPackage]),
        module(
            "OnlineTiles",
            [
                "TileSources", "HTTPCalls", "FleetEngine", "SQLiteFile", "VectorTiles", "BoundedJSON", "Geo", "CSQLite", nioHTTP1, nioSSL,
                crypto,
            ]),
        module("TripRecording", ["FleetEngineWire", "FleetEngine", "FleetEngineAPI", "BoundedJSON", "Geo", "CZlib", swiftProtobuf]),
        module("OverlayFiles", ["TerminalMap", "TerminalCanvas", "BoundedJSON", "Geo"]),
        module("FleetEngineAccess", ["FleetEngine", "BoundedJSON", "Geo", jwtKit, crypto, cryptoExtras]),
        module("FleetEngineWire", ["FleetEngine", "FleetEngineAPI", "Geo", swiftProtobuf]),
        module("PhoneIntake", ["FleetEngine", "BoundedJSON", "Geo"]),
        module("Routing", ["Geo"]),
        module("TerminalMap", ["VectorTiles", "TerminalCanvas", "Geo"]),
        module("TileSources", ["SQLiteFile", "VectorTiles", "BoundedJSON", "Geo", "Files", "CZlib", "CSQLite", "CTown"]),
        module("HTTPCalls", ["FleetEngine", asyncHTTPClient, nioCore, nioHTTP1, nioSSL, nioPosix]),
        module("HTTPServing", ["FleetEngine", "Files", "CZlib", hummingbird, nioCore, nioHTTP1, nioSSL, logging, nioPosix]),
        module("TerminalScreen", ["TerminalCanvas", "CNCurses", "CTerminal"]),
        module("FleetEngine", ["BoundedJSON", "Geo"]),
        module("FleetEngineAPI", [swiftProtobuf, grpcCore, grpcProtobuf], exclude: ["Protos", "Generated/FINGERPRINT"]),
        module("GRPCServing", ["HTTP2Frames", "CZlib", nioCore, nioTLS, nioHTTP2, nioHPACK, grpcCore]),
        module("SQLiteFile", ["CSQLite"]),
        module("VectorTiles", ["Geo"]),
        module("TerminalCanvas"),
        module("TOMLText"),
        .target(name: "Themes", path: "themes", resources: themeFiles.map { .embedInCode($0) }, swiftSettings: strict),
        module("HTTP2Frames", [nioCore]),
        module("BoundedJSON"),
        module("Geo"),
        module("Files"),
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
        tests("BoundedJSONTests", ["BoundedJSON"]),
        tests("GeoTests", ["Geo"]),
        tests("FilesTests", ["Files"]),
        tests("TerminalCanvasTests", ["TerminalCanvas", "Geo"]),
        tests("TOMLTextTests", ["TOMLText", "Geo"]),
        tests("VectorTilesTests", ["VectorTiles", "Geo"]),
        .executableTarget(
            name: "TileFuzz", dependencies: ["TileSources", "VectorTiles", "SQLiteFile", "Geo"], path: "Tests/TileFuzz",
            swiftSettings: strict),
        tests("TileSourcesTests", ["TileSources", "SQLiteFile", "VectorTiles", "Geo", "TileFuzz"]),
        tests(
            "OnlineTilesTests",
            [
                "TripTesting", "ServerHarness", "OnlineTiles", "HTTPCalls", "FleetEngine", "VectorTiles", "Geo", "TileFuzz", nioCore,
                nioPosix, nioHTTP1, nioSSL,
            ]),
        tests("MapFileTests", ["TerminalMap", "TileSources", "VectorTiles", "TerminalCanvas", "Geo"]),
        tests("TerminalMapTests", ["TerminalMap", "VectorTiles", "TerminalCanvas", "Geo"], exclude: ["Frames"]),
        tests("OverlayFilesTests", ["OverlayFiles", "TerminalMap", "TerminalCanvas", "Geo"]),
        .executableTarget(
            name: "TerminalScreenProbe", dependencies: ["TerminalScreen", "TerminalCanvas"], path: "Tests/TerminalScreenProbe",
            swiftSettings: strict),
        .target(name: "TerminalHarness", dependencies: ["TerminalCanvas"], path: "Tests/TerminalHarness", swiftSettings: strict),
        tests("TerminalScreenTests", ["TerminalScreen", "TerminalCanvas", "Geo", "TerminalHarness", "TerminalScreenProbe"]),
        tests("FleetEngineAPITests", ["FleetEngineAPI", swiftProtobuf]),
        tests("FleetEngineWireTests", ["FleetEngineWire", "FleetEngine", "FleetEngineAPI", "Geo", swiftProtobuf]),
        tests("FleetEngineAccessTests", ["FleetEngineAccess", "FleetEngine", "Geo", jwtKit, crypto, cryptoExtras]),
        tests("FleetEngineTests", ["TripTesting", "FleetEngine", "Geo"]),
        tests(
            "TripTestingTests",
            ["TripTesting", "FleetEngineGRPC", "FleetEngine", "FleetEngineAPI", "TerminalCanvas", swiftProtobuf, grpcCore]),
        tests(
            "FleetEngineGRPCTests",
            [
                "TripTesting", "FleetEngineGRPC", "FleetEngine", "FleetEngineAPI", nioCore, nioSSL, nioPosix, swiftProtobuf, grpcCore,
                grpcTransport,
            ]),
        tests("ProviderBackendTests", ["TripTesting", "ProviderBackend", "FleetEngine", "Geo"]),
        tests("PhoneIntakeTests", ["PhoneIntake", "FleetEngine", "Geo"]),
        tests("RoutingTests", ["Routing", "Geo"]),
        tests(
            "WebRoutingTests", ["TripTesting", "MapRouting", "WebRouting", "Routing", "TileSources", "FleetEngine", "Geo"],
            exclude: ["Fixtures"]),
        tests("MapRoutingTests", ["MapRouting", "Routing", "TileSources", "VectorTiles", "Geo"]),
        tests("NavigationTests", ["Navigation", "Routing", "Geo"], exclude: ["Golden"]),
        tests(
            "LocationSourcesTests",
            ["TripTesting", "LocationSources", "Navigation", "TripRecording", "PhoneIntake", "Routing", "FleetEngine", "Geo", "CZlib"],
            exclude: ["Fixtures"]),
        tests("DriverTests", ["TripTesting", "Driver", "Navigation", "Routing", "FleetEngine", "Geo"]),
        tests(
            "TripRecordingTests", ["TripRecording", "FleetEngineWire", "FleetEngine", "FleetEngineAPI", "Geo", "CZlib", swiftProtobuf],
            exclude: ["Fixtures"]),
        .target(
            name: "ServerHarness", dependencies: [nioCore, nioPosix, nioSSL], path: "Tests/ServerHarness", swiftSettings: strict),
        tests("HTTPServingTests", ["HTTPServing", "FleetEngine", "ServerHarness", nioCore]),
        tests("GRPCServingTests", ["GRPCServing", "HTTP2Frames", "Geo", nioCore, nioHPACK, grpcCore]),
        .target(
            name: "EngineWorld",
            dependencies: ["FleetEngineCore", "FleetEngineWire", "FleetEngineAPI", "FleetEngine", "Routing", "Geo", swiftProtobuf],
            path: "Tests/EngineWorld", swiftSettings: strict),
        tests(
            "FleetEngineCoreTests",
            [
                "FleetEngineCore", "FleetEngineSnapshot", "FleetEngineWire", "Routing", "FleetEngine", "FleetEngineAPI", "Geo",
                "EngineWorld", swiftProtobuf,
            ]),
        tests(
            "LocalFleetEngineTests",
            [
                "TripTesting", "LocalFleetEngine", "FleetEngineCore", "FleetEngineSnapshot", "FleetEngineGRPC", "ProviderBackend",
                "FleetEngineAccess", "FleetEngineWire", "PhoneIntake", "Routing", "HTTPCalls", "HTTPServing", "FleetEngine",
                "FleetEngineAPI", "GRPCServing", "SQLiteFile", "Geo", "CZlib", "ServerHarness", "EngineWorld", nioCore, nioHTTP2, nioHPACK,
                nioPosix, swiftProtobuf, hummingbird,
                grpcCore, grpcProtobuf, grpcTransport,
            ]),
        tests(
            "JourneySharingTests",
            [
                "TripTesting", "JourneySharing", "FleetEngineGRPC", "FleetEngineWire", "FleetEngine", "FleetEngineAPI", "Geo",
                swiftProtobuf, grpcCore,
            ]),
        tests(
            "ConsumerMapTests",
            ["TripTesting", "ConsumerMap", "JourneySharing", "Navigation", "TerminalMap", "FleetEngine", "TerminalCanvas", "Geo"]),
        tests(
            "TripWatchSettingsTests",
            [
                "TripWatchSettings", "JourneySharing", "TerminalMap", "FleetEngine", "VectorTiles", "TerminalCanvas", "TOMLText", "Themes",
                "Geo",
            ]),
        tests("TripWatchWordsTests", ["TripWatchWords", "TripWatchSettings", "JourneySharing", "TripRecording", "FleetEngine", "Geo"]),
        tests(
            "TripWatchScreenTests",
            [
                "TripWatchScreen", "TripWatchWords", "TripTesting", "TripWatchSettings", "ConsumerMap", "Driver", "JourneySharing",
                "Navigation", "Routing", "TerminalMap", "FleetEngine", "VectorTiles", "TerminalCanvas", "Geo",
            ]),
        tests(
            "TripWatchSharingTests",
            [
                "TripWatchSharing", "TripWatchScreen", "TripWatchWords", "TripWatchSettings", "ConsumerMap", "JourneySharing",
                "TerminalMap", "FleetEngine", "TerminalCanvas", "Geo",
            ]),
        .executableTarget(
            name: "Fuzzers",
            dependencies: [
                "TripWatchSharing", "TripWatchScreen", "TripWatchSettings", "LocalFleetEngine", "LocationSources", "FleetEngineCore",
                "FleetEngineSnapshot",
                "JourneySharing", "WebRouting", "ProviderBackend", "OnlineTiles", "TripRecording", "OverlayFiles", "FleetEngineAccess",
                "FleetEngineWire", "PhoneIntake", "Routing", "TileSources", "HTTPCalls", "HTTPServing", "TerminalScreen", "FleetEngine",
                "FleetEngineAPI", "GRPCServing", "SQLiteFile", "VectorTiles", "TerminalCanvas", "TOMLText", "BoundedJSON", "Geo", "CZlib",
                nioCore, nioHTTP1, nioHPACK, swiftProtobuf, cryptoExtras, subprocess, systemPackage,
            ],
            path: "Tests/Fuzzers", swiftSettings: strict),
        tests("FuzzersTests", ["Fuzzers"]),
        tests("tripwatchTests", ["tripwatch"]),
        // The tests of the next targets start `tripwatch`, or test its late modules. They do not import `tripwatch`, so that the compiler
        // need not wait for it.
        .target(
            name: "ProgramHarness",
            dependencies: [
                "TerminalHarness", "TerminalCanvas", "TripTesting", "TileFuzz", "VectorTiles", "FleetEngineAPI", swiftProtobuf, grpcCore,
            ],
            path: "Tests/ProgramHarness", swiftSettings: strict),
        tests(
            "TripWatchRuntimeTests",
            [
                "ProgramHarness", "TripRecording", "TripWatchOperations", "TripWatchLinks", "TripWatchRuntime", "ProgramSurroundings",
                "TripWatchScreen", "TripWatchWords", "TripTesting", "TripWatchSettings", "LocalFleetEngine", "Driver", "Navigation",
                "MapRouting", "FleetEngineGRPC", "JourneySharing", "Routing", "TileSources", "TerminalScreen", "FleetEngine",
                "FleetEngineAPI", "VectorTiles", "TerminalCanvas", "Geo", "TerminalHarness", swiftProtobuf,
            ]),
        tests(
            "EndToEndTests",
            [
                "ProgramHarness", "TripTesting", "LocalFleetEngine", "FleetEngineGRPC", "SQLiteFile", "FleetEngine", "FleetEngineAPI",
                "VectorTiles", "TerminalCanvas", "Geo", "TerminalHarness", "TileFuzz", "HTTPCalls", nioSSL, swiftProtobuf, grpcCore, crypto,
            ],
            exclude: ["Interop", "Fixtures"]),
    ],
    swiftLanguageModes: [.v6]
)
