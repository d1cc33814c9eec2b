import Testing
import XCTest

@testable import BacklotTestServer

#if !canImport(Darwin)
    /// XCTest on Linux reports an error that a test throws without a place.
    @Suite struct `A test case whose server does not start` {
        private let refusal = BacklotTestCase.Refusal(
            sentence: #"error: there is no file "a.json" [story/missing]"#,
            file: "/p/PetsTests.swift",
            line: 7
        )

        @Test func `fails at the line that asked for it`() {
            let description = "threw error \"\(refusal.sentence)\""
            let place = refusal.place(of: description, inFile: "<EXPR>", atLine: 0)
            #expect(place.file == "/p/PetsTests.swift" && place.line == 7)
        }

        @Test func `leaves every other failure where it is`() {
            let other = refusal.place(of: "threw error \"signedOut\"", inFile: "<EXPR>", atLine: 0)
            #expect(other.file == "<EXPR>" && other.line == 0)
            let placed = refusal.place(of: refusal.sentence, inFile: "/p/Other.swift", atLine: 3)
            #expect(placed.file == "/p/Other.swift" && placed.line == 3)
        }
    }
#endif
