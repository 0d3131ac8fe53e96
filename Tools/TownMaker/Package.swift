// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let geo = Target.Dependency.product(name: "Geo", package: "tripwatch")
let vectorTiles = Target.Dependency.product(name: "VectorTiles", package: "tripwatch")

// A separate package, so that the program holds the town and not what invents it: see README.md beside it.
let package = Package(
    name: "TownMaker",
    dependencies: [.package(name: "tripwatch", path: "../..")],
    targets: [
        .executableTarget(name: "TownMaker", dependencies: ["TownTiles", "DemoTown"], swiftSettings: strict),
        .target(name: "TownTiles", dependencies: ["DemoTown", "CDeflate", geo, vectorTiles], swiftSettings: strict),
        .target(name: "DemoTown", dependencies: [geo], swiftSettings: strict),
        .target(name: "CDeflate", linkerSettings: [.linkedLibrary("z")]),
        .testTarget(name: "DemoTownTests", dependencies: ["DemoTown", geo], swiftSettings: strict),
        .testTarget(
            name: "TownTilesTests",
            dependencies: [
                "TownTiles", "DemoTown", geo, vectorTiles, .product(name: "MapRouting", package: "tripwatch"),
                .product(name: "Routing", package: "tripwatch"), .product(name: "TileSources", package: "tripwatch"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
