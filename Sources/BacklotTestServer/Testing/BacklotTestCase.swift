#if canImport(XCTest)
    import Basics
    public import XCTest

    #if canImport(Darwin)
        import Foundation
    #endif

    /// A test case that judges the client of each test's servers when the test ends.
    ///
    /// ```swift
    /// final class PetsTests: BacklotTestCase {
    ///     func testSignsInAgain() async throws {
    ///         let server = try await startServer("Scenarios/pets/expired.json")
    ///         …
    ///     }
    /// }
    /// ```
    ///
    /// A subclass that overrides `tearDown() async throws` must call the superclass implementation.
    open class BacklotTestCase: XCTestCase {
        private struct Started {
            var server: BacklotServer
            var isJudged: Bool
            var file: StaticString
            var line: UInt
        }

        /// The servers of the test that runs.
        private struct Servers {
            var started: [Started] = []
            #if !canImport(Darwin)
                var refusal: Refusal?
            #endif
        }

        private let servers = Lock(Servers())

        /// Starts a server for the running test and stops it when the test ends.
        ///
        /// The client's failures are recorded at the line of this call.
        ///
        /// - Parameters:
        ///   - story: The path of a scenario file, or another ``BacklotServer/Story``. A relative path is resolved
        ///     against the folder of the test's source file, then against each of its parent folders.
        ///   - contracts: The use of the story's contract. If `nil`, the story is played without its contract, and the
        ///     verdict contains a note.
        ///   - transport: The transport for requests.
        ///   - refusalHold: The hold of token refusals and refresh responses. See
        ///     ``BacklotServer/init(story:contracts:transport:seed:refusalHold:filePath:)``.
        ///   - judging: A Boolean value that indicates whether to judge the client. Use `false` for a test that does
        ///     not send requests.
        /// - Throws: ``StoryProblem`` if the story cannot be served, or ``ServerProblem`` if the server
        ///   cannot listen.
        public func startServer(
            _ story: BacklotServer.Story,
            contracts: BacklotServer.Contracts? = nil,
            transport: BacklotServer.Transport = .socket,
            refusalHold: Duration? = nil,
            judging: Bool = true,
            file: StaticString = #filePath,
            line: UInt = #line
        ) async throws -> BacklotServer {
            let server: BacklotServer
            do {
                server = try await BacklotServer(
                    story: story,
                    contracts: contracts,
                    transport: transport,
                    refusalHold: refusalHold,
                    filePath: "\(file)"
                )
            } catch {
                #if !canImport(Darwin)
                    servers.withLock { $0.refusal = Refusal(sentence: "\(error)", file: "\(file)", line: Int(line)) }
                #endif
                throw error
            }
            servers.withLock { $0.started.append(Started(server: server, isJudged: judging, file: file, line: line)) }
            return server
        }

        /// Judges the clients of the ended test and stops its servers.
        open override func tearDown() async throws {
            let ended = servers.withLock { servers in
                defer { servers = Servers() }
                return servers.started
            }
            for started in ended where started.isJudged {
                let verdict = await started.server.verdict()
                for failure in verdict.failures { XCTFail("\(failure)", file: started.file, line: started.line) }
                // XCTest has no warnings; Xcode shows this form as one.
                for note in verdict.notes { print("\(started.file):\(started.line): warning: \(note)") }
                // XCTest on Linux has no attachments.
                #if canImport(Darwin)
                    if !verdict.failures.isEmpty {
                        attach(verdict.page, named: "page.html")
                        attach(verdict.journal, named: "journal.json")
                    }
                #endif
            }
            for started in ended { await started.server.stop() }
            try await super.tearDown()
        }

        #if !canImport(Darwin)
            /// A server that did not start, and the place at which the test started it.
            struct Refusal {
                var sentence: String
                var file: String
                var line: Int

                /// The place at which a failure is reported: XCTest on Linux gives none for an error that a test throws.
                func place(of description: String, inFile file: String, atLine line: Int) -> (file: String, line: Int) {
                    line == 0 && description.contains(sentence) ? (self.file, self.line) : (file, line)
                }
            }

            /// Records a failure; a failure to start a server is recorded at the line of the `startServer` call.
            open override func recordFailure(
                withDescription description: String,
                inFile filePath: String,
                atLine lineNumber: Int,
                expected: Bool
            ) {
                let place = servers.withLock { $0.refusal }?.place(
                    of: description,
                    inFile: filePath,
                    atLine: lineNumber
                )
                super.recordFailure(
                    withDescription: description,
                    inFile: place?.file ?? filePath,
                    atLine: place?.line ?? lineNumber,
                    expected: expected
                )
            }
        #endif

        #if canImport(Darwin)
            private func attach(_ text: String, named name: String) {
                let attachment = XCTAttachment(data: Data(text.utf8))
                attachment.name = .attachment(name, of: self.name)
                add(attachment)
            }
        #endif
    }
#endif
