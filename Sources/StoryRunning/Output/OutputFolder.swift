import Basics
import Checking
import JSON
import Reports
import Rules

/// Where files about stories are kept: a folder for each, by its id.
package struct OutputFolder: Sendable {
    package let path: String
    /// The version of the program, which archives name as their creator.
    package var version = ""
    /// The names of the stories' folders, by file and id: two files may use one id.
    private var names: [RunnableStory.Key: String] = [:]

    package init(_ path: String, for stories: [RunnableStory]) {
        self.path = path
        var taken: Set<String> = []
        for story in stories {
            let plain = Self.name(of: story.id)
            var name = plain
            var number = 1
            // Some file systems take two names for one that differ in case or in how an accent is written.
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(plain)-\(number)"
            }
            names[story.key] = name
        }
    }

    /// An id as the name of a folder; no id leads out of the folder that it belongs into.
    private static func name(of id: String) -> String {
        let scalars = id.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar == "/" || scalar == "\\" || scalar.value < 0x20 || scalar.value == 0x7F ? "-" : scalar
        }
        let name = String(String.UnicodeScalarView(scalars.prefix(100)))
        return name.isEmpty || name.utf8.first == UInt8(ascii: ".") ? "story-" + name : name
    }

    /// The folder of a story, created if missing.
    func place(of story: RunnableStory) -> StoryFolder {
        StoryFolder(FilePath.join(path, names[story.key] ?? Self.name(of: story.id)), version: version)
    }
}

extension RunnableStory {
    struct Key: Sendable, Hashable {
        var file: String
        var variant: String?
    }

    var key: Key { Key(file: file, variant: variant) }
}

/// The folder of one story, and what could not be written into it.
struct StoryFolder: Sendable {
    /// `nil` where it could not be made.
    private(set) var folder: String?
    /// Each as a sentence without a closing full stop.
    private(set) var lost: [String] = []

    private let files = DiskFiles()
    private let version: String

    init(_ path: String, version: String = "") {
        self.version = version
        guard !files.isLink(path) else {
            lost.append("\"\(path)\" is a symbolic link, which is not followed")
            return
        }
        do {
            try files.makeFolder(path)
            folder = path
        } catch {
            lost.append("the folder \"\(path)\" cannot be created: \(error.reason)")
        }
    }

    /// Writes what is kept of a story; a file that cannot be written keeps none of the others back.
    mutating func write(_ result: StoryResult) {
        write("checks.json", CheckDocument(result).json.text(.pretty) + "\n")
        write("journal.json", result.recording.json.text(.pretty) + "\n")
        write("capture.har", result.recording.har(version: version).text(.pretty) + "\n")
        write("page.html", ReportFormat.html.text(of: Report(of: [result])))
    }

    private mutating func write(_ name: String, _ text: String) {
        guard let folder else { return }
        let path = FilePath.join(folder, name)
        do {
            try files.write(Array(text.utf8), to: path)
        } catch {
            lost.append("\"\(path)\" cannot be written: \(error.reason)")
        }
    }
}

/// The result of a story's checks, as `checks.json` has it: nothing in it differs between two runs alike.
struct CheckDocument {
    let json: JSONValue

    init(_ result: StoryResult) {
        json = .array(result.checks.subjects.map { Self.json($0, of: result) })
    }

    private static func json(_ judgements: [Judgement], of result: StoryResult) -> JSONValue {
        let first = judgements[0]
        let findings = judgements.compactMap(\.finding)
        var object = JSONObject()
        object["id"] = .string(first.id)
        object["name"] = .string(first.subject)
        object["status"] = .string(status(of: judgements))
        object["description"] = .string(first.status == .held && findings.isEmpty ? first.subject : first.sentence)
        let places = [first.place].compactMap { $0 } + judgements.flatMap { $0.related.map(\.place) }
        let sources = first.source?.split(separator: ";").map { String($0.drop { $0 == " " }) } ?? []
        object["references"] = .array((places.map(\.description) + sources).map(JSONValue.string))
        var details = JSONObject()
        details["story"] = .string(result.story.id)
        details["seed"] = .string("\(result.play.seed)")
        if let why = first.why { details["why"] = .string(why) }
        if let explanation = first.explanation { details["explainedBy"] = .string(explanation) }
        details["exchanges"] = .array(judgements.flatMap(\.exchanges).map { .number(JSONNumber($0)) })
        if !findings.isEmpty {
            details["findings"] = .array(
                findings.map { finding in
                    var told = JSONObject()
                    told["severity"] = .string(finding.severity.rawValue)
                    told["message"] = .string(finding.message)
                    if let advice = finding.advice { told["advice"] = .string(advice) }
                    return .object(told)
                }
            )
        }
        object["details"] = .object(details)
        return .object(object)
    }

    private static func status(of judgements: [Judgement]) -> String {
        switch judgements[0].status {
        case .failed: "FAILURE"
        case .incomplete, .inconclusive: "WARNING"
        case .known: "INFO"
        case .excused, .notJudged: "SKIPPED"
        case .held where judgements.contains { $0.status == .failed }: "FAILURE"
        case .held: judgements.contains { $0.severity == .warning } ? "WARNING" : "SUCCESS"
        }
    }
}
