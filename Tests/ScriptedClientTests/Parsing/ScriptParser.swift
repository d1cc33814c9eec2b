import Basics
import JSON
import ScenarioFormat

/// Reads a script line by line, and says at the first wrong one what would be right.
struct ScriptParser {
    private let file: String
    private var lines: [ScriptLine]
    private var position = 0

    /// - Parameter file: the path as errors show it.
    static func parse(_ text: String, file: String) throws(ScriptError) -> Script {
        var parser = ScriptParser(text, file: file)
        return try parser.parse()
    }

    private init(_ text: String, file: String) {
        self.file = file
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
            ScriptLine($0.element, file: file, number: $0.offset + 1)
        }
    }

    private mutating func next() -> ScriptLine? {
        guard position < lines.count else { return nil }
        defer { position += 1 }
        return lines[position]
    }

    private mutating func parse() throws(ScriptError) -> Script {
        var script = Script(file: file)
        while var line = next() {
            let word = try line.word(for: "a block")
            switch word {
            case "always":
                guard script.blocks.isEmpty else {
                    throw line.error("\"always\" belongs before the first block, since it is for all of them")
                }
                script.always.append(try line.field())
            case "good": script.blocks.append(try good(&line))
            case "bug": script.blocks.append(try bug(&line))
            default:
                throw line.error(
                    "\"\(word)\" begins no block; write always, good or bug" + meant(word, ["always", "good", "bug"])
                )
            }
        }
        guard !script.blocks.isEmpty else {
            throw ScriptError(file: file, line: 1, sentence: "there is no block in it; begin with good")
        }
        return script
    }

    // MARK: Blocks

    private mutating func good(_ line: inout ScriptLine) throws(ScriptError) -> ScriptBlock {
        var variants: [String] = []
        while let name = line.word() { variants.append(name) }
        return ScriptBlock(role: .good, variants: variants, steps: try steps(of: line), line: line.number)
    }

    private mutating func bug(_ line: inout ScriptLine) throws(ScriptError) -> ScriptBlock {
        var name: [String] = []
        while let next = line.next, next != "for", next != "refused" { name += [line.word()].compactMap { $0 } }
        guard !name.isEmpty else { throw line.error("the bug has no name; write bug W1 refused by B2") }
        var variants: [String] = []
        if line.takes("for") {
            while let next = line.next, next != "refused" { variants += [line.word()].compactMap { $0 } }
            guard !variants.isEmpty else { throw line.error("no variant stands after \"for\"") }
        }
        guard line.takes("refused"), line.takes("by") else {
            throw line.error("it is not said what refuses the bug; write refused by B2, or refused by expect 1")
        }
        let refusals = try refusals(&line)
        return ScriptBlock(
            role: .bug(name: name.joined(separator: " "), refusals: refusals),
            variants: variants,
            steps: try steps(of: line),
            line: line.number
        )
    }

    private func refusals(_ line: inout ScriptLine) throws(ScriptError) -> [Refusal] {
        let text = line.remainder()
        var refusals: [Refusal] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(whereSeparator: \.isWhitespace)
            if words == ["silent"] {
                refusals.append(.silence)
            } else if words.count == 2, words[0] == "expect", let number = Int(words[1]), number > 0 {
                refusals.append(.expectation(number))
            } else if words.count == 1, let rule = RuleName(String(words[0])) {
                refusals.append(.rule(rule.number))
            } else {
                throw line.error(
                    "\"\(part.trimmed)\" refuses nobody; write a rule such as B2, expect 1, or silent"
                )
            }
        }
        return refusals
    }

    // MARK: Steps

    /// The lines of a block up to its end.
    private mutating func steps(of block: ScriptLine) throws(ScriptError) -> [ScriptStep] {
        var steps: [ScriptStep] = []
        while var line = next() {
            let first = line.next.map(String.init) ?? ""
            if first == "end" {
                _ = line.word()
                try line.end()
                return steps
            }
            if first == "together" {
                _ = line.word()
                try line.end()
                steps.append(ScriptStep(content: .requests(try rows(from: line)), line: line.number))
            } else if ScriptedRequest.begins(with: first) {
                let request = try attached(to: try ScriptedRequest(&line))
                steps.append(ScriptStep(content: .requests([[request]]), line: line.number))
            } else {
                steps.append(ScriptStep(content: try action(&line), line: line.number))
            }
        }
        throw block.error("the block is not closed; write end after its last line")
    }

    /// The requests of a `together` up to its end.
    private mutating func rows(from opening: ScriptLine) throws(ScriptError) -> [[ScriptedRequest]] {
        var rows: [[ScriptedRequest]] = []
        while var line = next() {
            if line.takes("end") {
                try line.end()
                guard !rows.isEmpty else { throw opening.error("nothing is together here; write requests below") }
                return rows
            }
            let follows = line.takes("then")
            if follows, rows.isEmpty { throw line.error("\"then\" has no request before it in this together") }
            var delay = Duration.zero
            if line.takes("after") { delay = try line.duration() }
            guard let first = line.next, ScriptedRequest.begins(with: String(first)) else {
                throw line.error("\(line.rest.shownWord) is no request; only requests can be together")
            }
            var request = try ScriptedRequest(&line)
            request.delay = delay
            request = try attached(to: request)
            if follows { rows[rows.count - 1].append(request) } else { rows.append([request]) }
        }
        throw opening.error("the together is not closed; write end after its last request")
    }

    /// A request with what is written below it.
    private mutating func attached(to request: ScriptedRequest) throws(ScriptError) -> ScriptedRequest {
        var request = request
        while position < lines.count {
            var line = lines[position]
            guard try request.attach(&line) else { break }
            position += 1
        }
        return request
    }

    private func action(_ line: inout ScriptLine) throws(ScriptError) -> ScriptStep.Content {
        let word = try line.word(for: "a step")
        let content: ScriptStep.Content
        switch word {
        case "advance": content = .advance(try line.duration())
        case "wait": content = .wait(try line.duration())
        case "launch": content = .launch(try line.number(for: "the launch"))
        case "exit": content = .exit(try line.number(for: "the exit code"))
        case "device": content = .device(try line.word(for: "the device's name"))
        case "client": content = .report(try facts(&line))
        case "remember":
            let name = try line.word(for: "a name")
            guard line.takes("=") else { throw line.error("write remember \(name) = KIND") }
            content = .remember(name: name, kind: try line.word(for: "a kind of token"))
        case let word where ScriptedRequest.attachments.contains(word):
            throw line.error("\"\(word)\" belongs below a request")
        default:
            let known = ["together", "advance", "wait", "launch", "client", "exit", "device", "remember", "end"]
            throw line.error(
                "\"\(word)\" is no step; write a request such as GET /path -> 200, or one of "
                    + known.joined(separator: ", ") + meant(word, known)
            )
        }
        try line.end()
        return content
    }

    private func facts(_ line: inout ScriptLine) throws(ScriptError) -> JSONObject {
        guard line.rest.first == "{" else {
            let name = try line.word(for: "a fact, such as signedOut or {\"screen\": \"home\"}")
            return JSONObject([(name, JSONValue.bool(true))])
        }
        let text = try line.json()
        guard let object = try? JSONParser().parse(text).root.object else {
            throw line.error("\"\(text)\" is no JSON object of facts")
        }
        return object
    }

    private func meant(_ word: String, _ known: [String]) -> String {
        Suggestion.nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
    }
}
