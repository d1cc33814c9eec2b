import Basics
import CommandLineInterface
import JSON
import ProgramInterface
import Rules
import ScenarioFormat
import TestSupport
import Testing

@Suite struct `An explanation` {
    private static let explanations = Explanations(
        storiesIn: ["\(Project.folder)/Scenarios"],
        files: DiskFiles()
    )

    @Test(arguments: RuleName.allCases) func `of a rule has the meaning, reason, fix and source`(rule: RuleName) throws
    {
        for spelling in [rule.number, rule.name, rule.rawValue, "\(rule.number)/\(rule.name)"] {
            let found = Self.explanations.all(of: spelling)
            let explanation = try #require(found.first { $0.kind == .rule }, "\(spelling)")
            #expect(explanation.id == rule.rawValue)
            #expect(explanation.meaning.count > 20 && explanation.meaning.first?.isLowercase == true)
            #expect(!explanation.meaning.contains("|") && !explanation.meaning.contains("refresh-storm"))
            #expect(explanation.reason?.isEmpty == false && explanation.fix?.isEmpty == false)
            #expect(explanation.source.contains("RFC"))
            for story in explanation.stories { #expect(DiskFiles().resolve("\(Project.folder)/\(story.file)") != nil) }
        }
    }

    @Test(arguments: FindingKind.all) func `of a finding has the meaning, reason and fix`(kind: FindingKind) throws {
        let found = Self.explanations.all(of: kind.id).filter { $0.kind == .finding }
        let explanation = try #require(found.first { $0.id == kind.id })
        #expect("\(explanation.meaning)." == kind.sentence)
        #expect(explanation.reason?.isEmpty == false && explanation.fix?.isEmpty == false)
        #expect(explanation.command != "backlot check" || kind.file.hasPrefix("backlot") == false)
    }

    @Test func `of every object and key has its declaration's sentence`() {
        #expect(FormatEntry.all.count > 200)
        for entry in FormatEntry.all {
            for spelling in entry.spellings {
                let found = Self.explanations.all(of: spelling)
                #expect(
                    found.contains { "\($0.meaning)." == entry.meaning || $0.meaning == entry.meaning },
                    "\(spelling)"
                )
            }
        }
    }

    @Test(arguments: [0, 1, 2, 130]) func `of an exit code has its meaning`(code: Int) throws {
        let explanation = try #require(Self.explanations.all(of: "\(code)").first { $0.kind == .exitCode })
        #expect(ExitCode.table.contains(explanation.meaning))
    }

    @Test func `is text and JSON for every id, each once`() {
        #expect(Explanations.ids.count == Set(Explanations.ids).count)
        for id in Explanations.ids {
            let found = Self.explanations.all(of: id)
            #expect(!found.isEmpty, "\(id)")
            for explanation in found {
                let lines = explanation.json.outline.split(separator: "\n").map(String.init)
                #expect(lines[0].hasPrefix("id ") && lines[0].hasSuffix(" \(explanation.id)"))
                #expect(lines[2].hasPrefix("meaning ") && explanation.json["meaning"]?.string == explanation.meaning)
            }
        }
    }

    @Test func `is one of several where an id has several meanings`() {
        let order = Self.explanations.all(of: "order")
        #expect(order.count > 1 || order.first?.kind == .key)
        #expect(Set(Self.explanations.all(of: "status").map(\.id)).count > 1)
        #expect(Self.explanations.all(of: "response.status").count == 1)
    }

    @Test(
        arguments: [
            ("B30", "B3"), ("refresh-strom", "refresh-storm"), ("expect/cuont", "expect/count"),
            ("unknown-key", "scenario/unknown-key"), ("requirse", "requires"), ("delay", "latency"),
            ("autopsy", "autopsy/output"),
        ]
    )
    func `is suggested for an unknown id`(id: String, intended: String) {
        #expect(Self.explanations.all(of: id).isEmpty)
        #expect(Self.explanations.advice(for: id).contains("\(intended)"))
    }

    @Test func `names the story that plays a rule`() throws {
        let storm = try #require(Self.explanations.all(of: "B2").first)
        #expect(storm.stories.contains { $0.id == "K1" })
        #expect(storm.command == "backlot run \(storm.stories[0].file) -- COMMAND")
        let lines = storm.json.outline.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("stories  id ") }.count == storm.stories.count)
        #expect(lines.last == "try      \(storm.command)")
    }
}
