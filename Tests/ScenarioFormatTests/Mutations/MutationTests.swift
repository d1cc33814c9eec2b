import Basics
import TestSupport
import Testing

@testable import ScenarioFormat

/// Hundreds of ways to get a scenario slightly wrong, and thousands with `BACKLOT_SCHEDULES`.
///
/// Every slip in a part of a file that the format has a say in (see ``Sites``) must be told, at its line.
@Suite
struct `A slip in a scenario` {
    private static let files: [String: String] = {
        var files: [String: String] = [:]
        func read(_ folder: String, as prefix: String) {
            for name in DiskFiles().entries(of: folder) {
                let path = "\(folder)/\(name)"
                if DiskFiles().isFolder(path) {
                    read(path, as: "\(prefix)\(name)/")
                } else if let text = try? Golden.text(of: path) {
                    files[prefix + name] = text
                }
            }
        }
        read(Project.scenarios + "/smeem", as: "smeem/")
        read(Project.folder + "/Tests/ScenarioFormatTests/Everything", as: "everything/")
        return files
    }()

    private static let stored = MemoryFiles(files)

    /// How many slips of each kind a file gets: as many as `BACKLOT_SCHEDULES` says, or one.
    private static let slipsPerFile = Breadth.factor
    /// Each kind of slip is made in every file with `BACKLOT_SCHEDULES`, otherwise in every third one, each kind in others,
    /// and in every backend.
    private static let stride = Breadth.factor > 1 ? 1 : 3

    @Test(arguments: Mutation.Kind.allCases)
    func `is never let pass, never crashes, and is shown at its line with the word that was meant`(kind: Mutation.Kind)
        throws
    {
        var generator = SeededGenerator(seed: kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        var count = 0
        var misplaced: [String] = []
        var unnamed: [String] = []
        let first = (Mutation.Kind.allCases.firstIndex(of: kind) ?? 0) % Self.stride
        let files = Self.files.keys.sorted().filter { $0.split(separator: "/").count == 2 }
        for (number, file) in files.enumerated()
        where number % Self.stride == first || file.hasSuffix("backend.json") {
            let original = try #require(Self.files[file].flatMap(Mutation.Original.init))
            // No slip is in what a story extends, so that is read once.
            var known = ParseCache()
            _ = load(file, of: Self.stored, remembering: &known)
            // A backend is as large as all of its stories together.
            for _ in 0..<(file.hasSuffix("backend.json") ? 3 : 1) * Self.slipsPerFile {
                guard let slip = Mutation.make(kind, in: original, using: &generator) else { continue }
                var memory = known
                let outcome = load(file, of: Self.stored.replacing(file, by: slip.text), remembering: &memory)
                count += 1
                #expect(!outcome.findings.isEmpty, "\(file): \(slip.summary)")
                let here = outcome.findings.filter { $0.place?.file == file && $0.place?.position?.line == slip.line }
                if here.isEmpty { misplaced.append("\(file), line \(slip.line): \(slip.summary)\n\(outcome.lines)") }
                if let meant = slip.original, !here.contains(where: { $0.advice == "did you mean \"\(meant)\"?" }) {
                    unnamed.append("\(file): \(slip.summary)\n\(outcome.lines)")
                }
            }
        }
        #expect(count > 21 * Self.slipsPerFile / Self.stride)
        #expect(misplaced.isEmpty, "\(misplaced.joined(separator: "\n"))")
        #expect(unnamed.isEmpty, "the right word is not offered: \(unnamed.joined(separator: "\n"))")
    }
}
