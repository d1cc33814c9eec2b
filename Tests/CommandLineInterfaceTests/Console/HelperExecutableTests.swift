import Basics
import CommandLineInterface
import TestSupport
import Testing

@Suite struct `A helper` {
    @Test func `is the program of its name beside this one`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "bin/backlot-test")
        let path = try HelperExecutable("backlot-test").path(nextTo: "\(folder.path)/bin/backlot")
        #expect(path == "\(folder.path)/bin/backlot-test")
    }

    @Test func `that is missing is told with what makes it`() throws {
        let folder = try TemporaryFolder()
        let sentence =
            "\"backlot-test\" is not next to \"backlot\" in \(folder.path)/bin; \"swift build\" builds both programs"
        #expect(throws: HelperExecutableProblem(sentence: sentence)) {
            try HelperExecutable("backlot-test").path(nextTo: "\(folder.path)/bin/backlot")
        }
    }

    @Test func `cannot be found by a program that does not know where it is`() {
        #expect(throws: HelperExecutableProblem(sentence: "the path of this program cannot be determined")) {
            try HelperExecutable("backlot-test").path(nextTo: nil)
        }
    }
}

@Suite struct `A package's build folder` {
    private static let files = MemoryFiles(["/code/app/Package.swift": "", "/code/app/.build/debug.yaml": ""])

    @Test(arguments: ["debug", "release"])
    func `is built in again as it was built in`(configuration: String) throws {
        let folder = "/code/app/.build/x86_64-unknown-linux-gnu/\(configuration)"
        let build = try #require(PackageBuild(folder, files: Self.files))
        #expect(
            build.command(for: "backlot-test") == [
                "swift", "build", "--package-path", "/code/app", "--scratch-path", "/code/app/.build",
                "-c", configuration, "--product", "backlot-test",
            ]
        )
    }

    @Test(arguments: [
        "/usr/local/bin", "/code/app/.build/x86_64-unknown-linux-gnu/profile", "/code/app/out/any/debug",
        "/elsewhere/.build/any/release", "/debug", "debug",
    ])
    func `is no other folder, whatever it is called`(folder: String) {
        #expect(PackageBuild(folder, files: Self.files) == nil)
    }
}
