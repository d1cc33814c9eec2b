// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Backlot",
    platforms: [.macOS(.v15), .iOS(.v18)],
    targets: [
        // Shared ground: the standard library and nothing else.
        .target(name: "Findings"),
        .target(name: "JSONText", dependencies: ["Findings"]),
        .target(name: "HTTPWire"),
        .target(name: "CommandLineArguments", dependencies: ["Findings"]),

        // The format of scenarios, and the pure engine that plays them.
        .target(name: "ScenarioFormat", dependencies: ["Findings", "HTTPWire", "JSONText"]),
        .target(name: "Simulation", dependencies: ["Findings", "HTTPWire", "JSONText", "ScenarioFormat"]),

        .testTarget(name: "FindingsTests", dependencies: ["Findings"]),
        .testTarget(name: "JSONTextTests", dependencies: ["Findings", "JSONText"]),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire"]),
        .testTarget(name: "CommandLineArgumentsTests", dependencies: ["CommandLineArguments"]),
    ]
)

// One set of settings for every Swift target, so that no room has rules of its own.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
