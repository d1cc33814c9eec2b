package import Basics
import Checking
import CommandLineInterface
package import JSON
import ScenarioFormat
import Signatures
import StoryRunning

/// The evidence that a change fixes a bug: what was run, with digests of everything that took part.
package struct Receipt: Sendable {
    /// The document without its digest.
    private let content: JSONObject

    private static let kind = "backlot receipt"

    private init(content: JSONObject) { self.content = content }

    init(
        _ proof: Proof,
        rules: [String],
        warnings: [Finding],
        _ before: (revision: GitRepository.Revision, runs: [String: [ProofRun]]),
        _ after: (revision: GitRepository.Revision, runs: [String: [ProofRun]])
    ) throws(ProofProblem) {
        var content: JSONObject = [
            "kind": .string(Self.kind),
            "schemaVersion": 1,
            "backlot": [
                "version": .string(BacklotVersion.text), "sha256": .string(try Self.digest(ofFiles: [proof.program])),
            ],
            "rules": .array(rules.map(JSONValue.string)),
        ]
        if !warnings.isEmpty {
            content["warnings"] = .array(
                warnings.map { ["id": .string($0.id), "message": .string($0.message)] }
            )
        }
        var stories: [JSONValue] = []
        for story in proof.stories + proof.others {
            stories.append([
                "id": .string(story.id), "file": .string(story.file),
                "sha256": .string(try Self.digest(ofFiles: story.loaded.watched)),
            ])
        }
        content["stories"] = .array(stories)
        content["command"] = .array(proof.command.map(JSONValue.string))
        content["build"] = proof.build.map(JSONValue.string)
        content["seeds"] = .array(proof.seeds.map { .number(JSONNumber($0)) })
        for (name, side) in [("before", before), ("after", after)] {
            let revision = side.revision
            content[name] = [
                "revision": .string(revision.name), "commit": .string(revision.commit), "tree": .string(revision.tree),
            ]
        }
        content["runs"] = .array(Self.runs("before", before.runs) + Self.runs("after", after.runs))
        self.content = content
    }

    private static func runs(_ side: String, _ runs: [String: [ProofRun]]) -> [JSONValue] {
        runs.sorted { $0.key < $1.key }.flatMap { story, runs in
            runs.map { run in
                [
                    "side": .string(side), "story": .string(story), "seed": .number(JSONNumber(run.seed)),
                    "outcome": .string(run.outcome), "failed": .array(run.failed.map(JSONValue.string)),
                ]
            }
        }
    }

    /// The document.
    package var json: JSONValue {
        var object = content
        object["digest"] = .string(Self.hexadecimal(SHA256.hash(JSONValue.object(content).utf8())))
        return .object(object)
    }

    /// The document for people, in Markdown.
    package var markdown: String {
        func list(_ values: [JSONValue?]) -> String {
            values.compactMap { $0?.string }.map { "`\($0)`" }.joined(separator: ", ")
        }
        let stories = list(content["stories"]?.array?.map { $0["id"] } ?? [])
        return """
            # Proof of a fix

            The stories \(stories) fail before the change because of \(list(content["rules"]?.array ?? [])), and pass after it.
            `backlot prove --check FILE.json` verifies the receipt.

            ```text
            \(json.outline)```

            """
    }
}

extension Receipt {
    /// The contents of a file with a receipt, and the findings about it: a changed document, or revisions, stories or a
    /// program that are not those of the proof.
    ///
    /// - Throws: ``ProofProblem`` for a file that cannot be read, and without a repository.
    package static func check(
        _ file: String,
        around folder: String,
        program: String,
        scratch: String
    ) throws(ProofProblem) -> (document: JSONValue, findings: [Finding]) {
        func finding(_ sentence: String, _ severity: Finding.Severity = .error) -> Finding {
            Finding(severity, id: "prove/receipt", sentence, at: Place(file: file))
        }
        let document: JSONValue
        do {
            document = try JSONParser().parse(DiskFiles().read(file)).root
        } catch let problem as FileProblem {
            throw ProofProblem(id: "prove/receipt", problem.sentence(about: file, as: "the receipt"))
        } catch {
            throw ProofProblem(id: "prove/receipt", "the receipt \(file) is not valid JSON: \(error)")
        }
        guard var content = document.object, content["kind"]?.string == kind else {
            return (document, [finding("the file is not a receipt of backlot prove")])
        }
        content["digest"] = nil
        guard document["digest"]?.string == Receipt(content: content).json["digest"]?.string else {
            return (document, [finding("the receipt was changed: its digest does not match its contents")])
        }
        var findings = (document["warnings"]?.array ?? []).map { warning in
            Finding(.warning, id: warning["id"]?.string ?? "", warning["message"]?.string ?? "", at: Place(file: file))
        }
        let repository = try GitRepository.client(around: folder, scratch: scratch)
        for side in ["before", "after"].map({ document[$0] }) {
            let commit = side?["commit"]?.string ?? ""
            let tree = repository.digest(of: commit, "tree")
            if tree == nil {
                findings.append(finding("\(repository.top) does not contain the commit \(commit)"))
            } else if tree != side?["tree"]?.string {
                findings.append(finding("the commit \(commit) has another tree than in the receipt"))
            }
        }
        for story in document["stories"]?.array ?? [] {
            let (id, path) = (story["id"]?.string ?? "", story["file"]?.string ?? "")
            let loaded = StorySelection([path], only: [id]).stories.first?.loaded
            let present = try? loaded.map { (story) throws(ProofProblem) in try digest(ofFiles: story.watched) }
            if present != story["sha256"]?.string {
                findings.append(finding("the story \(id) in \(path) has changed since the proof"))
            }
        }
        if (try? digest(ofFiles: [program])) != document["backlot"]?["sha256"]?.string {
            findings.append(finding("the proof was made by another build of backlot", .note))
        }
        return (document, findings)
    }

    /// The SHA-256 of files' names and contents, in the order of their names.
    ///
    /// Names are those below the folder that all files share, so that a copy of the folder has the same digest.
    private static func digest(ofFiles paths: [String]) throws(ProofProblem) -> String {
        let paths = paths.unique.sorted()
        let folder = paths.first.map(FilePath.folder) ?? ""
        var bytes: [UInt8] = []
        for path in paths {
            do {
                let content = try DiskFiles().read(path)
                let name = paths.count == 1 ? "" : FilePath.relative(path, to: folder)
                bytes += Array("\(name)\n\(content.count)\n".utf8) + content
            } catch {
                throw ProofProblem(id: "prove/not-run", "\(path) cannot be read: \(error.reason)")
            }
        }
        return hexadecimal(SHA256.hash(bytes))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
