// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Backlot",
    // Below macOS 15 and iOS 18, which `Synchronization`, `Int128` and others need: apps test on older systems, too.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .executable(name: "backlot", targets: ["backlot"]),
        // Started by `backlot test`, which builds it where it is missing.
        .executable(name: "backlot-test", targets: ["backlot-test"]),
        // The four apps' service layers; the checks of this package use them like any other client.
        .library(name: "ClientServices", targets: ["ClientServices"]),
        // For other teams' test targets: the same checks for their own clients.
        .library(name: "BacklotTesting", targets: ["BacklotTesting"]),
        // A server in a test's own process, for any client.
        .library(name: "BacklotTestServer", targets: ["BacklotTestServer"]),
        // The command in packages that depend on this one: swift package backlot check.
        .plugin(name: "BacklotPlugin", targets: ["BacklotPlugin"]),
    ],
    targets: [
        // C declarations of Linux that Swift's own modules leave out; empty on other platforms.
        .systemLibrary(name: "CLinux"),
        // The page, the guides, the metaschemas and the issuer's backend as bytes of a program: C, whose compiler takes
        // them as they are.
        .target(name: "EmbeddedFiles"),

        // Findings, files, text, dates and the lock: the standard library and the C library alone.
        .target(
            name: "Basics",
            dependencies: [.target(name: "CLinux", condition: .when(platforms: [.linux])), "EmbeddedFiles"]
        ),
        // Text to tree with places and exact numbers, and back; YAML in.
        .target(name: "JSON", dependencies: ["Basics"]),
        // The regular expressions of JSON Schema, with a step budget.
        .target(name: "ECMAPatterns", dependencies: ["Basics"]),
        // Compiles schemas, validates, explains, and samples values that a schema allows.
        .target(
            name: "JSONSchema",
            dependencies: ["Basics", "ECMAPatterns", "JSON"],
            // The metaschemas as data, which `EmbeddedFiles` compiles in.
            exclude: ["Metaschemas/Documents"]
        ),

        // SHA-256, HMAC, RSA and P-256 for the tokens of tests; JSON Web Signatures and Keys.
        .target(name: "Signatures", dependencies: ["Basics", "JSON"]),

        // HTTP as bytes: fields, heads, bodies and limits; WebSocket and server-sent events; without sockets.
        .target(name: "HTTPCodec", dependencies: ["Basics"]),
        // Descriptors, selectors, timers and child processes: all system calls.
        .target(
            name: "EventLoops",
            dependencies: ["Basics", .target(name: "CLinux", condition: .when(platforms: [.linux]))]
        ),
        // TLS over bytes, by the system's library; the certificate authority of this machine.
        .target(
            name: "TLS",
            dependencies: [
                "Basics", .target(name: "CLinux", condition: .when(platforms: [.linux])), "EventLoops", "Signatures",
            ]
        ),
        // Connections, a server and a client: bytes and deadlines, neither JSON nor scenarios.
        .target(name: "HTTPServing", dependencies: ["Basics", "EventLoops", "HTTPCodec", "TLS"]),

        // OpenAPI documents, and the evaluation of one request or response.
        .target(name: "OpenAPI", dependencies: ["Basics", "ECMAPatterns", "HTTPCodec", "JSON", "JSONSchema"]),

        // The format of scenarios: decoder, checker, merge and schema.
        .target(
            name: "ScenarioFormat",
            dependencies: ["Basics", "ECMAPatterns", "HTTPCodec", "JSON", "Signatures"],
            // The backend of an issuer, which `EmbeddedFiles` compiles in.
            exclude: ["Issuer/issuer.yaml"]
        ),
        // The pure engine that plays a scenario: clock, tokens, session, items and journal.
        .target(
            name: "Simulation",
            dependencies: ["Basics", "HTTPCodec", "JSON", "ScenarioFormat", "Signatures"]
        ),
        // Reads a journal, and says what the story expected and what the client did wrong.
        .target(name: "Rules", dependencies: ["Basics", "HTTPCodec", "JSON", "ScenarioFormat", "Simulation"]),
        // Results in every form that people and build servers read; draws what a journal holds.
        .target(
            name: "Reports",
            dependencies: ["Basics", "HTTPCodec", "JSON", "Rules", "ScenarioFormat", "Simulation"]
        ),

        // Plays a simulation over HTTP: sessions, admin API, live reload; contracts are read by what it is given.
        .target(
            name: "StubServing",
            dependencies: [
                "Basics", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "Rules", "ScenarioFormat", "Simulation",
                "TLS",
            ],
            // The page that a browser gets.
            exclude: ["page.html", "page.css", "page.js", "steering.js", "keeping.js"].map { "Page/\($0)" }
        ),
        // A server in the process of a test that judges the client: Swift Testing, XCTest, sockets and URLProtocol.
        .target(
            name: "BacklotTestServer",
            dependencies: [
                "Basics", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "Reports", "Rules", "ScenarioFormat",
                "Simulation", "StubServing", "TLS",
            ]
        ),
        // Holds scenarios, fixtures, documents and servers against contracts and captured traffic against the rules, and
        // drafts scenarios from both.
        .target(
            name: "Checking",
            dependencies: [
                "Basics", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "JSONSchema", "OpenAPI", "Reports", "Rules",
                "ScenarioFormat", "Simulation", "TLS",
            ]
        ),

        // Sends requests on to the real backend, and learns its tokens.
        .target(
            name: "Proxying",
            dependencies: [
                "Basics", "Checking", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "ScenarioFormat", "Signatures",
                "Simulation", "StubServing", "TLS",
            ]
        ),

        // Plays stories to a client of any kind, and reports what it did.
        .target(
            name: "StoryRunning",
            dependencies: [
                "Basics", "Checking", "EventLoops", "HTTPCodec", "JSON", "Reports", "Rules", "ScenarioFormat",
                "Simulation", "StubServing",
            ]
        ),
        // A client in this process: deterministic executor, simulated network, documented responses and stories.
        .target(
            name: "ClientTesting",
            dependencies: [
                "Basics", "Checking", .target(name: "CLinux", condition: .when(platforms: [.linux])), "EventLoops",
                "HTTPCodec", "HTTPServing", "JSON", "JSONSchema", "OpenAPI", "Reports", "Rules", "ScenarioFormat",
                "Simulation", "StoryRunning", "StubServing",
            ]
        ),
        // The public face of it, for the test targets of other packages; no program of this package imports it.
        .target(
            name: "BacklotTesting",
            dependencies: [
                "BacklotTestServer", "Basics", "Checking", "ClientTesting", "EventLoops", "HTTPCodec", "HTTPServing",
                "JSON", "OpenAPI", "Proxying", "Reports", "ScenarioFormat", "StoryRunning",
            ]
        ),

        // The four apps' service layers, which know no other target.
        .target(name: "ClientServices"),
        // What those services can be asked, and what their users do in each story.
        .target(
            name: "ClientRegistration",
            dependencies: [
                "Checking", "ClientServices", "ClientTesting", "HTTPCodec", "HTTPServing", "JSON",
            ]
        ),

        // The guides of the documentation, compiled into the command; `Guides.docc` is also read as it is.
        .target(name: "Guides", dependencies: ["Basics"]),
        // Arguments, help, completion, terminal, signals and report files, for each command.
        .target(name: "CommandLineInterface", dependencies: ["Basics", "EventLoops", "JSON", "Reports"]),
        // What programs read: explanations of ids, results as JSON, proofs of fixes.
        .target(
            name: "ProgramInterface",
            dependencies: [
                "Basics", "Checking", "CommandLineInterface", "EventLoops", "Guides", "HTTPCodec", "JSON", "JSONSchema",
                "Reports", "Rules", "ScenarioFormat", "Signatures", "Simulation", "StoryRunning",
            ]
        ),
        // Tests the client services; a separate program, because they use Foundation.
        .executableTarget(
            name: "backlot-test",
            dependencies: ["Basics", "ClientRegistration", "ClientTesting", "CommandLineInterface", "Reports"]
        ),
        // The command: one file for each subcommand.
        .executableTarget(
            name: "backlot",
            dependencies: [
                "Basics", "Checking", "CommandLineInterface", "EventLoops", "Guides", "HTTPCodec", "HTTPServing",
                "JSON",
                "JSONSchema", "OpenAPI", "ProgramInterface", "Proxying", "Reports", "Rules", "ScenarioFormat",
                "Simulation", "StoryRunning", "StubServing", "TLS",
            ]
        ),

        // Builds and runs the command; its product is named in the code and not here, or it would be built twice.
        .plugin(
            name: "BacklotPlugin",
            capability: .command(
                intent: .custom(verb: "backlot", description: "Run backlot: check scenarios, judge a client, serve"),
                permissions: [
                    .allowNetworkConnections(
                        scope: .local(ports: []),
                        reason: "backlot serves mock backends and judges clients over HTTP on this machine"
                    )
                ]
            ),
            path: "Sources/BacklotPlugin"
        ),

        // Measures a release build; see Tests/Benchmarks/Benchmarks.swift.
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Basics", "Checking", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "JSONSchema", "OpenAPI",
                "Reports", "Rules", "ScenarioFormat", "Simulation", "StubServing", "TestSupport",
            ],
            path: "Tests/Benchmarks",
            exclude: ["fuzz.txt", "instructions.txt"]
        ),
        // What several test targets need.
        .target(name: "TestSupport", dependencies: ["Basics", "EventLoops", "JSON"], path: "Tests/TestSupport"),
        // Five clients that do it right, and every class of bug as a switch on each of them.
        .target(
            name: "ReferenceClients",
            dependencies: [
                "Basics", "HTTPCodec", "HTTPServing", "JSON", "Rules", "ScenarioFormat", "Simulation", "StoryRunning",
                "StubServing",
            ],
            path: "Tests/ReferenceClients"
        ),
        // One of them as a program, and the proof by all of them; see .github/CONTRIBUTING.md.
        .executableTarget(
            name: "reference-client",
            dependencies: ["CommandLineInterface", "EventLoops", "ReferenceClients"],
            path: "Tests/ReferenceClient"
        ),

        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestSupport"]),
        .testTarget(name: "JSONTests", dependencies: ["Basics", "JSON", "TestSupport"]),
        .testTarget(
            name: "ECMAPatternsTests",
            dependencies: ["ECMAPatterns", "TestSupport"],
            // The program that writes the tables of Unicode.
            exclude: ["Tables"]
        ),
        .testTarget(
            name: "JSONSchemaTests",
            dependencies: ["JSON", "JSONSchema", "TestSupport"],
            exclude: ["Sheets"]
        ),
        .testTarget(name: "SignaturesTests", dependencies: ["Basics", "JSON", "Signatures", "TestSupport"]),
        .testTarget(name: "HTTPCodecTests", dependencies: ["Basics", "HTTPCodec", "TestSupport"]),
        .testTarget(name: "EventLoopsTests", dependencies: ["EventLoops", "TestSupport"]),
        .testTarget(
            name: "TLSTests",
            dependencies: ["Basics", "EventLoops", "HTTPCodec", "HTTPServing", "Signatures", "TestSupport", "TLS"]
        ),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: ["EventLoops", "HTTPCodec", "HTTPServing", "TestSupport"]
        ),
        .testTarget(
            name: "OpenAPITests",
            dependencies: ["Basics", "HTTPCodec", "JSON", "JSONSchema", "OpenAPI", "TestSupport"],
            exclude: ["Sheets"]
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Basics", "HTTPCodec", "JSON", "Reports", "ScenarioFormat", "Simulation", "TestSupport"],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "ScenarioFormatTests",
            dependencies: ["Basics", "HTTPCodec", "JSON", "JSONSchema", "ScenarioFormat", "TestSupport"],
            exclude: ["Diagnostics", "Everything", "Shapes/Texts"]
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Basics", "HTTPCodec", "JSON", "ScenarioFormat", "Signatures", "Simulation", "TestSupport"]
        ),
        .testTarget(
            name: "RulesTests",
            dependencies: ["Basics", "HTTPCodec", "JSON", "Rules", "ScenarioFormat", "Simulation", "TestSupport"],
            exclude: ["Sheets"]
        ),
        .testTarget(
            name: "StubServingTests",
            dependencies: [
                "Basics", "Checking", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "Proxying", "ScenarioFormat",
                "Signatures", "Simulation", "StoryRunning", "StubServing", "TLS", "TestSupport",
            ],
            exclude: ["Backends/Answers", "Podcast", "Page/browse.py"]
        ),
        .testTarget(
            name: "ProxyingTests",
            dependencies: [
                "Basics", "Checking", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "Proxying", "Reports",
                "ScenarioFormat", "Signatures", "Simulation", "StubServing", "TLS", "TestSupport",
            ]
        ),
        .testTarget(
            name: "StoryRunningTests",
            dependencies: [
                "Basics", "Checking", "HTTPCodec", "JSON", "OpenAPI", "Reports", "Rules", "ScenarioFormat",
                "Simulation",
                "StoryRunning", "StubServing", "TestSupport",
            ],
            exclude: ["Clients/smeem.py"]
        ),
        .testTarget(
            name: "CheckingTests",
            dependencies: [
                "Basics", "Checking", "ClientTesting", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "JSONSchema",
                "OpenAPI", "Reports", "Rules", "ScenarioFormat", "Simulation", "TLS", "TestSupport",
            ],
            exclude: ["Changes/Table", "Check/Projects", "Init/Petstore"]
        ),
        .testTarget(
            name: "ClientTestingTests",
            dependencies: [
                "Basics", "Checking", "ClientTesting", "ECMAPatterns", "EventLoops", "HTTPCodec", "HTTPServing", "JSON",
                "JSONSchema", "OpenAPI", "Reports", "Rules", "ScenarioFormat", "Simulation", "StoryRunning",
                "TestSupport",
            ]
        ),
        // The guide's clients, adapted as in the guide.
        .testTarget(
            name: "BacklotTestingTests",
            dependencies: ["BacklotTesting", "Basics", "EventLoops", "TestSupport"],
            exclude: ["Guide/Contracts", "Guide/Scenarios", "Shared"]
        ),
        .testTarget(
            name: "BacklotTestServerTests",
            dependencies: [
                "BacklotTestServer", "BacklotTesting", "Basics", "HTTPCodec", "HTTPServing", "StubServing", "TLS",
                "TestSupport",
            ],
            exclude: ["Guide/Scenarios", "Guide/shop.py", "Support/me.json"]
        ),
        .testTarget(
            name: "ClientServicesTests",
            dependencies: ["Basics", "ClientServices", "HTTPCodec", "HTTPServing", "TestSupport"]
        ),
        // The four services with every documented response, every variant and all stories; and a twin of Smeem with the
        // bugs that were found.
        .testTarget(
            name: "ClientRegistrationTests",
            dependencies: [
                "Basics", "ClientRegistration", "ClientServices", "ClientTesting", "HTTPCodec", "HTTPServing", "JSON",
                "OpenAPI", "Rules", "Simulation", "StoryRunning", "StubServing", "TestSupport", "Checking",
            ]
        ),
        .testTarget(
            name: "CommandLineInterfaceTests",
            dependencies: ["Basics", "CommandLineInterface", "EventLoops", "Reports", "TestSupport"]
        ),
        .testTarget(
            name: "ProgramInterfaceTests",
            dependencies: [
                "Basics", "CommandLineInterface", "EventLoops", "HTTPCodec", "HTTPServing", "JSON", "JSONSchema",
                "ProgramInterface",
                "Rules", "ScenarioFormat", "Simulation", "TestSupport",
            ],
            exclude: ["drive-mcp"]
        ),
        .testTarget(
            name: "ReferenceClientTests",
            dependencies: [
                "Basics", "HTTPCodec", "JSON", "ReferenceClients", "Rules", "ScenarioFormat",
                "Simulation", "StoryRunning", "StubServing", "TestSupport",
            ],
            exclude: ["Golden"]
        ),
        // Runs, loads or compiles every code block of the guides and of README.md.
        .testTarget(name: "GuideTests", dependencies: ["EventLoops", "Guides", "TestSupport"]),
        // A text file of requests for every story: the correct client, and the one with the story's bug.
        .testTarget(
            name: "ScriptedClientTests",
            dependencies: [
                "Basics", "Checking", "HTTPCodec", "JSON", "OpenAPI", "Rules", "ScenarioFormat", "Simulation",
                "TestSupport",
            ],
            exclude: ["Scripts"]
        ),
    ]
)

// One set of settings for every Swift target.
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
