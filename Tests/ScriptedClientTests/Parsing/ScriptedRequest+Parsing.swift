import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension ScriptedRequest {
    /// The words that begin a line below a request.
    static let attachments = ["header", "json", "form", "part", "take", "check", "timeout"]

    /// Whether a line that begins so is a request.
    static func begins(with word: String) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// `METHOD TARGET [with TOKENS] -> STATUS [keep TOKENS]`.
    init(_ line: inout ScriptLine) throws(ScriptError) {
        self.line = line.number
        method = try line.word(for: "a method")
        target = try line.word(for: "a target such as /path")
        expected = .status(0)
        if line.takes("with") { tokens = try Self.uses(&line) }
        guard line.takes("->") else {
            throw line.error("\(line.rest.shownWord) stands where \"-> STATUS\" belongs")
        }
        expected = try Self.response(&line)
        guard line.takes("keep") else {
            try line.end()
            return
        }
        guard case .status = expected else {
            throw line.error("nothing can be kept of a response that does not come")
        }
        repeat {
            let granted = try line.word(for: "a kind of token")
            let place = line.takes("as") ? try line.word(for: "a kind of token") : granted
            kept.append(TokenKeeping(granted: granted, place: place))
        } while !line.isAtEnd
    }

    private static func uses(_ line: inout ScriptLine) throws(ScriptError) -> [TokenUse] {
        var uses: [TokenUse] = []
        while let next = line.next, next != "->" {
            if next.first == "\"" {
                let text = try line.text(for: "a token")
                guard line.takes("as") else { throw line.error("it is not said as which kind \"\(text)\" is sent") }
                uses.append(TokenUse(source: .text(text), place: try line.word(for: "a kind of token")))
            } else {
                let kind = try line.word(for: "a kind of token")
                let place = line.takes("as") ? try line.word(for: "a kind of token") : kind
                uses.append(TokenUse(source: .stored(kind), place: place))
            }
        }
        guard !uses.isEmpty else { throw line.error("no token stands after \"with\"") }
        return uses
    }

    private static func response(_ line: inout ScriptLine) throws(ScriptError) -> ExpectedResponse {
        let word = try line.word(for: "a status")
        if let code = Int(word), HTTPStatus(exactly: code) != nil { return .status(code) }
        if let breakage = Breakage(rawValue: word) { return .broken(breakage) }
        let known = Breakage.allCases.map(\.rawValue)
        let meant = Suggestion.nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
        throw line.error("\"\(word)\" is no status; write 200, or one of \(known.joined(separator: ", "))\(meant)")
    }

    // MARK: Below it

    /// Takes a line that belongs to the request; false for one that does not.
    mutating func attach(_ line: inout ScriptLine) throws(ScriptError) -> Bool {
        guard let word = line.next.map(String.init), Self.attachments.contains(word) else { return false }
        _ = line.word()
        switch word {
        case "header": fields.append(try line.field())
        case "json": try set(.json(try line.json()), line)
        case "form": try set(.form(line.remainder()), line)
        case "part": try add(try Self.part(&line), line)
        case "take": takes.append(try Self.take(&line))
        case "timeout": timeout = try line.duration()
        default: checks.append(ResponseAssertion(content: try Self.check(&line), line: line.number))
        }
        try line.end()
        return true
    }

    private mutating func set(_ body: ScriptedBody, _ line: ScriptLine) throws(ScriptError) {
        guard self.body == nil else { throw line.error("the request has a body already") }
        self.body = body
    }

    private mutating func add(_ part: ScriptedPart, _ line: ScriptLine) throws(ScriptError) {
        guard case .parts(let parts) = body else { return try set(.parts([part]), line) }
        body = .parts(parts + [part])
    }

    private static func part(_ line: inout ScriptLine) throws(ScriptError) -> ScriptedPart {
        let name = try line.word(for: "the part's name")
        if line.takes("json") { return ScriptedPart(name: name, content: .json(try line.json())) }
        guard line.takes("file") else {
            return ScriptedPart(name: name, content: .text(try line.text(for: "the part")))
        }
        let file = try line.text(for: "the file's name")
        let type = try line.word(for: "the file's type, such as image/jpeg")
        return ScriptedPart(
            name: name,
            content: .file(name: file, type: type, size: try line.number(for: "the file's size"))
        )
    }

    private static func take(_ line: inout ScriptLine) throws(ScriptError) -> (name: String, source: TakenSource) {
        let name = try line.word(for: "a name")
        guard Substitution.isName(name[...]) else {
            throw line.error("\"\(name)\" is no name; it has letters, digits and _ and begins with a letter")
        }
        guard line.takes("=") else { throw line.error("write take \(name) = /pointer") }
        if line.takes("header") { return (name, .header(try line.word(for: "the header field's name"))) }
        return (name, .body(try line.pointer()))
    }

    private static func check(_ line: inout ScriptLine) throws(ScriptError) -> ResponseAssertion.Content {
        if line.takes("header") {
            let field = try line.field()
            return .header(field.name, field.value)
        }
        if line.takes("bytes") { return .bytes(try line.number(for: "the number of bytes")) }
        let pointer = try line.pointer()
        if pointer.isRoot, line.takes("empty") { return .emptyBody }
        if line.takes("is") { return .value(pointer, try line.json()) }
        if line.takes("length") { return .length(pointer, try line.number(for: "the length")) }
        if line.takes("absent") { return .absent(pointer) }
        if line.takes("present") { return .present(pointer) }
        throw line.error("\(line.rest.shownWord) is no check; write is JSON, length N, absent or present")
    }
}
