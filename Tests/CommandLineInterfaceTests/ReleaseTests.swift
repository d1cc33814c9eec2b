import CommandLineInterface
import Foundation
import TestSupport
import Testing

@Suite struct `The version` {
    @Test func `is the newest one that the changelog describes`() throws {
        let changelog = try Golden.text(of: Project.folder + "/.github/CHANGELOG.md")
        let headings = changelog.split(separator: "\n").filter { $0.hasPrefix("## ") && $0 != "## Unreleased" }
        let newest = try #require(headings.first)
        #expect(newest.split(separator: " ").dropFirst().first == BacklotVersion.text[...])
    }

    @Test func `comes from a repository that the documentation names the same way`() throws {
        let wanted = try #require(BacklotVersion.repository.firstRange(of: "https://github.com/")).upperBound
        let name = BacklotVersion.repository[wanted...]
        var found = 0
        for file in try Self.documentation {
            let text = try Golden.text(of: "\(Project.folder)/\(file)")
            for match in text.matches(of: /(?:github\.com\/|ghcr\.io\/|uses: |github:|spm:)([A-Za-z0-9-]+\/backlot)\b/)
            {
                found += 1
                #expect(match.1 == name, "\(file)")
            }
        }
        #expect(found > 0)
    }

    @Test func `needs the Swift version that the manifest states`() throws {
        let manifest = try Golden.text(of: Project.folder + "/Package.swift")
        let tools = try #require(manifest.firstMatch(of: /swift-tools-version: ([0-9.]+)/)).1
        for file in try Self.documentation where file != ".github/CHANGELOG.md" {
            for match in try Golden.text(of: "\(Project.folder)/\(file)").matches(of: /Swift ([0-9]+\.[0-9]+) or later/)
            {
                #expect(match.1 == tools, "\(file)")
            }
        }
    }

    private static var documentation: [String] {
        get throws {
            let folders = [".github", "Sources/Guides/Guides.docc"]
            let files = folders.flatMap { folder in
                (FileManager.default.subpaths(atPath: "\(Project.folder)/\(folder)") ?? []).map { "\(folder)/\($0)" }
            }
            return ["README.md"] + files.filter { $0.hasSuffix(".md") || $0.hasSuffix(".yml") }
        }
    }
}

@Suite(.installed(.bash), .enabled("git or python3 is not installed") { await hasTools("git", "tar", "python3") })
struct `The release script` {
    @Test func `assembles checksums, bundle and formula from archives`() async throws {
        let repository = try await Repository()
        for name in ["backlot-linux-x86_64", "backlot-linux-arm64", "backlot-macos-universal"] {
            try await repository.addArchive(name)
        }
        let end = try await repository.release("--assemble", "--output", "archives")
        #expect(end.status == 0, "\(end)")

        let checked = try await repository.shell(
            "cd archives && shasum -a 256 -c SHA256SUMS || sha256sum -c SHA256SUMS"
        )
        #expect(checked.status == 0, "\(checked)")
        let formula = try repository.text("archives/backlot.rb")
        let sums = try repository.text("archives/SHA256SUMS")
        for line in sums.split(separator: "\n") where line.hasSuffix(".tar.gz") {
            let words = line.split(separator: " ")
            let address = "\(BacklotVersion.repository)/releases/download/\(BacklotVersion.text)/\(words[1])"
            #expect(formula.contains("url \"\(address)\""))
            #expect(formula.contains("sha256 \"\(words[0])\""))
        }
        let info = try await Python.run(
            """
            import json, stat, sys, zipfile
            bundle = zipfile.ZipFile(sys.argv[1])
            info = json.loads(bundle.read('backlot.artifactbundle/info.json'))
            artifact = info['artifacts']['backlot']
            print(info['schemaVersion'], artifact['type'], artifact['version'])
            for variant in artifact['variants']:
                entry = bundle.getinfo('backlot.artifactbundle/' + variant['path'])
                print(*variant['supportedTriples'], stat.filemode(entry.external_attr >> 16))
            """,
            repository.folder.path + "/archives/backlot.artifactbundle.zip"
        )
        #expect(
            info == """
                1.0 executable \(BacklotVersion.text)
                x86_64-unknown-linux-gnu -rwxr-xr-x
                aarch64-unknown-linux-gnu -rwxr-xr-x
                arm64-apple-macosx x86_64-apple-macosx -rwxr-xr-x

                """
        )
    }

    @Test(.enabled("curl is not installed") { await hasTools("curl") })
    func `makes what the action downloads, with the checksum that was published`() async throws {
        let repository = try await Repository()
        for name in ["backlot-linux-x86_64", "backlot-linux-arm64", "backlot-macos-universal"] {
            try await repository.addArchive(name)
        }
        let folder = "releases/download/\(BacklotVersion.text)"
        #expect(try await repository.release("--assemble", "--draft", "--output", "archives").status == 0)
        _ = try await repository.shell("mkdir -p \(folder) && mv archives/* \(folder)")
        let download = """
            cp '\(Project.folder)/.github/actions/backlot/download' . && \
                bash ./download "file://$PWD/releases" "$1" "$2"
            """
        let end = try await repository.shell(download, [BacklotVersion.text, "bin"])
        #expect(end.status == 0, "\(end)")
        #expect(try await repository.shell("test -x bin/backlot").status == 0)

        let none = try await repository.shell(download, ["0.0.1", "bin"])
        #expect(none.status == 2)
        #expect(none.errors.contains("cannot be fetched; is 0.0.1 a version that was published?"))

        _ = try await repository.shell("for file in \(folder)/*.tar.gz; do echo >> $file; done")
        let other = try await repository.shell(download, [BacklotVersion.text, "other"])
        #expect(other.status == 1)
        #expect(other.errors.hasSuffix(".tar.gz does not have the checksum that SHA256SUMS says\n"))
        #expect(try await repository.shell("test -e other").status == 1)
    }

    @Test func `names an archive that is missing, and leaves it out of a draft only`() async throws {
        let repository = try await Repository()
        try await repository.addArchive("backlot-linux-x86_64")
        let release = try await repository.release("--assemble", "--output", "archives")
        #expect(release.status == 1)
        #expect(release.errors.hasPrefix("error: a release has all of backlot-linux-x86_64"))
        let draft = try await repository.release("--assemble", "--draft", "--output", "archives")
        #expect(draft.status == 0)
        #expect(draft.output.hasPrefix("NOT BUILT: backlot-linux-arm64\nNOT BUILT: backlot-macos-universal\n"))
        #expect(try !repository.text("archives/backlot.rb").contains("on_macos"))
    }

    @Test func `refuses an archive without the command`() async throws {
        let repository = try await Repository()
        try repository.folder.write("a page of an error", to: "archives/backlot-linux-arm64.tar.gz")
        let end = try await repository.release("--assemble", "--draft", "--output", "archives")
        #expect(end.status == 1)
        #expect(end.errors == "error: archives/backlot-linux-arm64.tar.gz is not an archive with the file backlot\n")
    }

    @Test func `refuses uncommitted changes`() async throws {
        let repository = try await Repository()
        try repository.folder.write("", to: "Sources/new.swift")
        let end = try await repository.release("--assemble")
        #expect(end.status == 2)
        #expect(
            end.errors == """
                error: there are uncommitted changes; commit them, or add --draft to try the script:
                ?? Sources/new.swift

                """
        )
    }

    @Test func `refuses a commit without the version's tag`() async throws {
        let repository = try await Repository()
        _ = try await repository.shell("git tag -d \(BacklotVersion.text)")
        let none = try await repository.release("--assemble")
        #expect(none.status == 2)
        let advice = "run 'git tag \(BacklotVersion.text)', or add --draft to try the script\n"
        #expect(none.errors == "error: HEAD has no tag \(BacklotVersion.text); \(advice)")
        _ = try await repository.shell("git tag 0.0.1")
        let other = try await repository.release("--assemble")
        #expect(other.status == 2)
        #expect(other.errors == "error: HEAD has the tag 0.0.1, but no tag \(BacklotVersion.text); \(advice)")
    }

    @Test func `refuses a changelog of another version`() async throws {
        let repository = try await Repository()
        for (heading, isDraftAllowed) in [("0.0.1", false), ("\(BacklotVersion.text)1", false), ("Unreleased", true)] {
            try repository.folder.write(
                "## \(heading)\n\n## \(BacklotVersion.text) (2026-01-01)\n",
                to: ".github/CHANGELOG.md"
            )
            let end = try await repository.release("--assemble", "--output", "archives")
            #expect(end.status == 1)
            #expect(end.errors.hasPrefix("error: .github/CHANGELOG.md begins with '\(heading)', but "))
            let draft = try await repository.release("--assemble", "--draft", "--output", "archives")
            #expect(draft.errors.contains("CHANGELOG") != isDraftAllowed, "\(draft)")
        }
    }

    @Test func `refuses a folder that is no repository`() async throws {
        let repository = try await Repository()
        _ = try await repository.shell("rm -rf .git")
        let end = try await repository.release("--assemble")
        #expect(end.status == 2)
        #expect(end.errors.hasSuffix("is not a git repository; a release is made of a commit\n"))
    }

    @Test func `refuses what it does not know`() async throws {
        let repository = try await Repository()
        let typo = try await repository.release("--drat")
        #expect(typo.status == 2)
        #expect(typo.errors.hasPrefix("error: unknown argument '--drat'; the arguments are --draft, "))
        let end = try await repository.release("--output")
        #expect(end.status == 2)
        #expect(end.errors == "error: --output needs a value\n")
    }

    /// A repository with what the script reads, committed and tagged.
    private struct Repository {
        let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            for file in [
                ".ci/release", ".github/CHANGELOG.md", "LICENSE",
                "Sources/CommandLineInterface/Console/BacklotVersion.swift",
            ] {
                try folder.write(try Golden.text(of: "\(Project.folder)/\(file)"), to: file)
            }
            let end = try await shell(
                """
                git init -q && git add . && git -c user.name=Test -c user.email=test@localhost commit -q -m All \
                    && git tag \(BacklotVersion.text) && echo archives > .git/info/exclude
                """
            )
            try #require(end.status == 0, "\(end)")
        }

        func release(_ arguments: String...) async throws -> SpawnedProgram.End {
            try await shell("bash .ci/release \"$@\"", arguments)
        }

        func addArchive(_ name: String) async throws {
            let end = try await shell(
                """
                mkdir -p archives && printf '#!/bin/sh\\n' > backlot && chmod 755 backlot \
                    && tar -czf archives/\(name).tar.gz backlot LICENSE && rm backlot
                """
            )
            try #require(end.status == 0, "\(end)")
        }

        func text(_ file: String) throws -> String { try Golden.text(of: "\(folder.path)/\(file)") }

        func shell(_ command: String, _ arguments: [String] = []) async throws -> SpawnedProgram.End {
            try await SpawnedProgram("/usr/bin/env", ["bash", "-c", command, "bash"] + arguments, in: folder.path).end()
        }
    }
}

/// Whether programs are installed.
private func hasTools(_ names: String...) async -> Bool {
    let line = names.map { "command -v \($0)" }.joined(separator: " && ")
    let end = try? await SpawnedProgram("/usr/bin/env", ["bash", "-c", line]).end()
    return end?.status == 0
}
