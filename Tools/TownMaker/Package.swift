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

// TownMaker is a package of its own, so that the program holds the finished town but not the code that invents it. See README.md in this
// folder.
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
