// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Backlot",
    // Below macOS 15 and iOS 18, which `Synchronization`, `Int128` and others need: apps test on older systems, too.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .executable(name: "backlot", targets: ["backlot"]),
        // Started by the one above, which has it built where it is missing.
        .executable(name: "backlot-test", targets: ["backlot-test"]),
        // What the apps can take as it is; the checks of this package use it like anybody else.
        .library(name: "ClientServices", targets: ["ClientServices"]),
        // What other teams' test targets import, to put their own clients through the same checks.
        .library(name: "BacklotTesting", targets: ["BacklotTesting"]),
    ],
    targets: [
        // What Linux offers and Swift's own modules leave out.
        .systemLibrary(name: "CLinux"),

        // Shared ground: the standard library and the C library.
        .target(name: "Basics", dependencies: [.target(name: "CLinux", condition: .when(platforms: [.linux]))]),
        .target(name: "Findings"),
        .target(name: "JSONText", dependencies: ["Basics", "Findings"]),
        .target(name: "HTTPWire", dependencies: ["Basics"]),
        .target(name: "ProjectFiles", dependencies: ["Findings", "JSONText"]),
        .target(name: "CommandLineArguments", dependencies: ["Findings"]),
        .target(name: "ECMAPatterns", dependencies: ["Basics"], exclude: ["Tables/GenerateTables.swift"]),

        // Where Swift's runtime on Linux lets jobs of tasks be taken.
        .systemLibrary(name: "CTaskHooks"),

        // Contracts: what a schema allows, what an OpenAPI file documents, and values that obey both.
        .target(
            name: "JSONSchemaValidation",
            dependencies: ["Basics", "ECMAPatterns", "Findings", "HTTPWire", "JSONText"]
        ),
        .target(
            name: "SchemaSampling",
            dependencies: ["Basics", "ECMAPatterns", "HTTPWire", "JSONSchemaValidation", "JSONText"]
        ),
        .target(
            name: "OpenAPIContracts",
            dependencies: ["Basics", "Findings", "HTTPWire", "JSONSchemaValidation", "JSONText", "ProjectFiles"]
        ),

        // Whatever was found, in every form that people and build servers read.
        .target(name: "Reports", dependencies: ["Findings", "HTTPWire", "JSONText"]),

        // The format of scenarios, and the pure engine that plays them.
        .target(
            name: "ScenarioFormat",
            dependencies: ["Basics", "ECMAPatterns", "Findings", "HTTPWire", "JSONText", "ProjectFiles"]
        ),
        .target(name: "Simulation", dependencies: ["Basics", "Findings", "HTTPWire", "JSONText", "ScenarioFormat"]),

        // Holds what happened in a session against what its story expects, and against what every client has to do.
        .target(
            name: "Judgements",
            dependencies: ["Findings", "HTTPWire", "JSONText", "ProjectFiles", "ScenarioFormat", "Simulation"]
        ),

        // Sockets, and HTTP over them: bytes and deadlines, neither JSON nor scenarios.
        .target(
            name: "SocketIO",
            dependencies: ["Basics", .target(name: "CLinux", condition: .when(platforms: [.linux]))]
        ),
        .target(name: "HTTPServing", dependencies: ["Basics", "HTTPWire", "SocketIO"]),

        // The stub server.
        .target(
            name: "StubServing",
            dependencies: [
                "Basics", "Findings", "HTTPServing", "HTTPWire", "JSONSchemaValidation", "JSONText", "Judgements",
                "OpenAPIContracts", "ProjectFiles", "ScenarioFormat", "SchemaSampling", "Simulation", "SocketIO",
            ]
        ),

        // A deterministic world for a client in this process: executor, time, and the order of jobs.
        .target(
            name: "ClientTesting",
            dependencies: [
                "Basics", "HTTPServing", "Simulation", "SocketIO",
                .target(name: "CTaskHooks", condition: .when(platforms: [.linux])),
            ]
        ),

        // Holds contracts, scenarios, fixtures and live servers against each other.
        .target(
            name: "ContractRunner",
            dependencies: [
                "Basics", "ClientTesting", "Findings", "HTTPServing", "HTTPWire", "JSONSchemaValidation", "JSONText",
                "Judgements",
                "OpenAPIContracts", "ProjectFiles", "Reports", "ScenarioFormat", "SchemaSampling", "Simulation",
                "SocketIO", "StoryRunning", "StubServing",
            ]
        ),

        // Plays stories to a client of any kind, and reports what it did.
        .target(
            name: "StoryRunning",
            dependencies: [
                "Basics", "Findings", "HTTPWire", "JSONText", "Judgements", "ProjectFiles", "Reports", "ScenarioFormat",
                "Simulation", "SocketIO", "StubServing",
            ]
        ),

        // The four apps' service layers, which know nothing of any other room.
        .target(name: "ClientServices"),

        // Puts those services under test: what they can be asked, and what their users do in each story.
        .target(
            name: "ClientRegistration",
            dependencies: ["ClientServices", "ContractRunner", "HTTPServing", "HTTPWire", "JSONText"]
        ),

        // The way in for everybody else's clients; no program of this package imports it.
        .target(
            name: "BacklotTesting",
            dependencies: [
                "Basics", "ContractRunner", "Findings", "HTTPServing", "HTTPWire", "JSONText", "OpenAPIContracts",
                "ProjectFiles",
                "Reports", "StoryRunning",
            ]
        ),

        // What the commands share: standard streams, signals that end them, and files that reports go into.
        .target(
            name: "Console",
            dependencies: ["Basics", "CommandLineArguments", "Findings", "ProjectFiles", "Reports", "SocketIO"]
        ),

        // Tests the client services; a program of its own, because they are written with Foundation.
        .executableTarget(
            name: "backlot-test",
            dependencies: [
                "Basics", "ClientRegistration", "CommandLineArguments", "Console", "ContractRunner", "Findings",
                "ProjectFiles",
                "Reports",
            ]
        ),

        // The command in front of all of it.
        .executableTarget(
            name: "backlot",
            dependencies: [
                "CommandLineArguments", "Console", "ContractRunner", "Findings", "HTTPServing", "HTTPWire",
                "JSONSchemaValidation",
                "JSONText", "Judgements", "OpenAPIContracts", "ProjectFiles", "Reports", "ScenarioFormat",
                "Simulation", "SocketIO", "StoryRunning", "StubServing",
            ]
        ),

        // Measures a release build; see Tests/Benchmarks/Benchmarks.swift.
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "HTTPServing", "HTTPWire", "JSONSchemaValidation", "JSONText", "Judgements", "OpenAPIContracts",
                "ProjectFiles", "Reports", "ScenarioFormat", "Simulation", "SocketIO", "StubServing",
            ],
            path: "Tests/Benchmarks"
        ),

        // What several test targets need.
        .target(
            name: "TestSupport",
            dependencies: ["Basics", "JSONText", "ProjectFiles", "SocketIO"],
            path: "Tests/TestSupport"
        ),

        .testTarget(
            name: "ClientServicesTests",
            dependencies: ["Basics", "ClientServices", "HTTPServing", "HTTPWire", "ProjectFiles", "TestSupport"]
        ),
        // The four services in the matrix, the sweep and all stories; and twins of them with the bugs that were found.
        .testTarget(
            name: "ClientRegistrationTests",
            dependencies: [
                "Basics", "ClientRegistration", "ClientServices", "ContractRunner", "Findings", "HTTPServing",
                "HTTPWire",
                "JSONText", "Judgements", "OpenAPIContracts", "ProjectFiles", "Reports", "Simulation", "StoryRunning",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "ClientTestingTests",
            dependencies: ["Basics", "ClientTesting", "HTTPServing", "HTTPWire", "SocketIO"]
        ),
        // The guide's clients, adapted as the guide does it.
        .testTarget(
            name: "BacklotTestingTests",
            dependencies: ["BacklotTesting", "ProjectFiles", "TestSupport"],
            exclude: ["Guide/Contracts", "Guide/Scenarios"]
        ),
        .testTarget(name: "BasicsTests", dependencies: ["Basics"]),
        .testTarget(name: "FindingsTests", dependencies: ["Findings"]),
        .testTarget(name: "ECMAPatternsTests", dependencies: ["ECMAPatterns", "TestSupport"]),
        .testTarget(
            name: "JSONSchemaValidationTests",
            dependencies: ["JSONSchemaValidation", "JSONText", "TestSupport"]
        ),
        .testTarget(
            name: "SchemaSamplingTests",
            dependencies: ["JSONSchemaValidation", "JSONText", "SchemaSampling", "TestSupport"]
        ),
        .testTarget(
            name: "OpenAPIContractsTests",
            dependencies: [
                "Findings", "HTTPWire", "JSONSchemaValidation", "JSONText", "OpenAPIContracts", "ProjectFiles",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Findings", "JSONText", "ProjectFiles", "Reports", "TestSupport"],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "ContractRunnerTests",
            dependencies: [
                "Basics", "ClientTesting", "ContractRunner", "ECMAPatterns", "Findings", "HTTPServing", "HTTPWire",
                "JSONSchemaValidation", "JSONText", "Judgements",
                "OpenAPIContracts",
                "ProjectFiles", "Reports", "ScenarioFormat", "SchemaSampling", "Simulation", "SocketIO", "StoryRunning",
                "TestSupport",
            ],
            exclude: ["Init/Petstore"]
        ),
        .testTarget(name: "JSONTextTests", dependencies: ["Findings", "JSONText", "TestSupport"]),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "TestSupport"]),
        .testTarget(name: "ProjectFilesTests", dependencies: ["ProjectFiles", "TestSupport"]),
        .testTarget(name: "SocketIOTests", dependencies: ["SocketIO", "TestSupport"]),
        .testTarget(name: "HTTPServingTests", dependencies: ["HTTPServing", "HTTPWire", "SocketIO", "TestSupport"]),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Basics", "CommandLineArguments", "Console", "Findings", "ProjectFiles", "Reports", "SocketIO",
                "TestSupport",
            ]
        ),
        .testTarget(name: "CommandLineArgumentsTests", dependencies: ["CommandLineArguments", "TestSupport"]),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Findings", "HTTPWire", "JSONText", "ProjectFiles", "ScenarioFormat", "Simulation", "TestSupport",
            ]
        ),
        .testTarget(
            name: "JudgementsTests",
            dependencies: [
                "Findings", "HTTPWire", "JSONText", "Judgements", "ProjectFiles", "ScenarioFormat", "Simulation",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "StoryRunningTests",
            dependencies: [
                "Basics", "Findings", "HTTPWire", "JSONText", "Judgements", "ProjectFiles", "Reports", "ScenarioFormat",
                "Simulation", "StoryRunning", "StubServing", "TestSupport",
            ],
            exclude: ["Clients/smeem.py"]
        ),
        // Five clients that do it right, and every class of bug as a switch on each of them.
        .target(
            name: "ReferenceClients",
            dependencies: [
                "Basics", "Findings", "HTTPServing", "HTTPWire", "JSONText", "Judgements", "ProjectFiles",
                "ScenarioFormat", "Simulation", "StoryRunning", "StubServing",
            ],
            path: "Tests/ReferenceClients"
        ),
        // One of them as a program, and the proof by all of them; see .github/CONTRIBUTING.md.
        .executableTarget(
            name: "reference-client",
            dependencies: ["CommandLineArguments", "Console", "ReferenceClients", "SocketIO"],
            path: "Tests/ReferenceClient"
        ),
        .testTarget(
            name: "ReferenceClientTests",
            dependencies: [
                "Basics", "Findings", "HTTPServing", "HTTPWire", "JSONText", "Judgements", "ProjectFiles",
                "ReferenceClients", "ScenarioFormat", "Simulation", "StubServing", "TestSupport",
            ],
            exclude: ["Golden"]
        ),
        // A text file of requests for every story: the client that does it right, and the one with the story's bug.
        .testTarget(
            name: "ScriptedClientTests",
            dependencies: [
                "Basics", "Findings", "HTTPWire", "JSONText", "Judgements", "OpenAPIContracts", "ProjectFiles",
                "ScenarioFormat",
                "Simulation", "TestSupport",
            ],
            exclude: ["Scripts"]
        ),
        .testTarget(
            name: "ScenarioFormatTests",
            dependencies: [
                "Findings", "HTTPWire", "JSONSchemaValidation", "JSONText", "ProjectFiles", "ScenarioFormat",
                "TestSupport",
            ],
            exclude: ["Diagnostics", "Everything"]
        ),
        .testTarget(
            name: "StubServingTests",
            dependencies: [
                "Basics", "Findings", "HTTPServing", "HTTPWire", "JSONText", "ProjectFiles", "ScenarioFormat",
                "Simulation",
                "SocketIO", "StubServing", "TestSupport",
            ]
        ),
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
