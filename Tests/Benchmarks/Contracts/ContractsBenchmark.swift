import Basics
import Foundation
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// What contracts cost: validation compared with jsonschema-rs, a huge file, and judging in process and while serving.
struct ContractsBenchmark {
    private static let batches = 9
    private static let batch = 20_000

    let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func run() throws -> Bool {
        // First, while the peak of this process is small.
        let isQuick = try loading()
        try validation()
        try judging()
        return try ContractServing(settings).run() && isQuick
    }

    /// True when a huge file is ready within a second and 300 MB.
    private func loading() throws -> Bool {
        let folder = try ScratchFolder()
        let path = try folder.write("huge.json", HugeContract.text)
        let own = ProcessMemory(of: ProcessInfo.processInfo.processIdentifier)?.resident ?? .nan
        var clock = Stopwatch()
        let contract = try Self.contract(at: path)
        let loading = clock.lap()
        _ = contract.schemas.problems
        let compiling = clock.lap()
        let findings = contract.lint()
        let linting = clock.lap()
        let peak = ProcessMemory(of: ProcessInfo.processInfo.processIdentifier)?.peak ?? .nan
        let size = try DiskFiles().read(path).count
        say("contracts: \((Double(size) / 1_000_000).text(1)) MB, \(Double(HugeContract.schemas).text()) schemas")
        var table = Table("huge file", "load ms", "compile ms", "lint ms", "all ms", "before MB", "peak MB", "findings")
        let all = loading + compiling + linting
        table.add(
            "OpenAPI 3.0",
            loading.text(),
            compiling.text(),
            linting.text(),
            all.text(),
            own.text(),
            peak.text(),
            Double(contract.findings.count + findings.count).text()
        )
        table.print()
        return all < 1_000 && !(peak >= 300)
    }

    private func validation() throws {
        let text = Array(TypicalResponse.text.utf8)
        let schema = try Schema.compile(JSONParser().parse(TypicalResponse.schema).root)
        let value = try JSONParser().parse(text).root
        guard try schema.accepts(value) else { throw Obstacle("the typical response is refused") }
        let validating = try cost { try schema.accepts(value) }
        let parsing = try cost { try schema.accepts(JSONParser().parse(text).root) }
        let rival = try SchemaRival(schema: TypicalResponse.schema, instance: TypicalResponse.text, rounds: Self.batch)
        var table = Table("a response of \(text.count) bytes, medians", "validate ns", "parse + validate ns")
        table.add("backlot", validating.text(), parsing.text())
        if let rival {
            table.add("jsonschema-rs", rival.validating.text(), rival.parsing.text())
            table.add("ratio", (validating / rival.validating).text(2), (parsing / rival.parsing).text(2))
        } else {
            say("jsonschema-rs is not installed for python3, so there is nothing to compare with.")
        }
        table.print()
    }

    private func judging() throws {
        let folder = try ScratchFolder()
        let contract = try Self.contract(at: folder.write("people.json", TypicalResponse.contract))
        let judge = ContractEvaluator(contract)
        let fields: HTTPFields = [
            "Host": "127.0.0.1:9847", "Accept": "application/json", "Authorization": "Bearer a.b.c",
        ]
        let get = HTTPRequest(method: .get, target: TypicalResponse.target, fields: fields)
        var post = HTTPRequest(method: .post, target: "/teams/12/people", fields: fields)
        post.fields.append("Content-Type", "application/json")
        post.body = Array(TypicalResponse.newPerson.utf8)
        let body = Array(TypicalResponse.text.utf8)
        let response = HTTPResponse(
            status: .ok,
            fields: ["Content-Type": "application/json", "X-Total": "7"],
            body: body
        )
        guard let getting = contract.operation(.get, get.path), let posting = contract.operation(.post, post.path),
            judge.violations(of: get, for: getting).isEmpty, judge.violations(of: post, for: posting).isEmpty,
            judge.violations(of: response, to: getting.operation).isEmpty
        else { throw Obstacle("the typical contract refuses what it documents") }
        var table = Table("judging, medians", "µs")
        for (name, work) in [
            ("find the operation", { contract.operation(.get, get.path) != nil }),
            ("a request with three parameters", { judge.violations(of: get, for: getting).isEmpty }),
            ("a request with a body", { judge.violations(of: post, for: posting).isEmpty }),
            ("a response of \(body.count) bytes", { judge.violations(of: response, to: getting.operation).isEmpty }),
        ] as [(String, () -> Bool)] {
            table.add(name, (try cost(work) / 1_000).text(2))
        }
        table.print()
    }

    private static func contract(at path: String) throws -> Contract {
        let files = DiskFiles()
        guard let project = ProjectRoot(enclosing: path, files: files) else { throw Obstacle("\(path) is gone") }
        return try ContractLoader(files: files, project: project).load(path)
    }

    /// Nanoseconds for one piece of work.
    private func cost(_ work: () throws -> Bool) throws -> Double {
        try Figures(
            (0...Self.batches).map { _ in
                var clock = Stopwatch()
                for _ in 0..<Self.batch where try !work() { throw Obstacle("the outcome changes") }
                return clock.lap() * 1_000_000 / Double(Self.batch)
            }
        ).median
    }
}
