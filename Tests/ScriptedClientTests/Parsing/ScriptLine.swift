import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// A line of a script, taken word by word from its beginning.
struct ScriptLine {
    let file: String
    let number: Int
    private(set) var rest: Substring

    /// - Returns: `nil` for a line with nothing but a comment on it.
    init?(_ text: Substring, file: String, number: Int) {
        self.file = file
        self.number = number
        rest = Self.withoutComment(text).trimmed
        if rest.isEmpty { return nil }
    }

    /// A comment begins with `#` at the beginning or after a space, outside of quotes.
    private static func withoutComment(_ text: Substring) -> Substring {
        var isQuoted = false
        var isEscaped = false
        var last: Character = " "
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == "#", !isQuoted, last.isWhitespace {
                return text[..<index]
            }
            last = character
        }
        return text
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next word without taking it.
    var next: Substring? { rest.isEmpty ? nil : rest.prefix { !$0.isWhitespace } }

    mutating func word() -> String? {
        guard let word = next else { return nil }
        rest = rest.dropFirst(word.count).trimmed
        return String(word)
    }

    /// Takes a word if it is the next one.
    mutating func takes(_ word: String) -> Bool {
        guard let next, next == word else { return false }
        rest = rest.dropFirst(word.count).trimmed
        return true
    }

    /// Everything that is left.
    mutating func remainder() -> String {
        defer { rest = "" }
        return String(rest)
    }

    /// Fails unless everything has been taken.
    func end() throws(ScriptError) {
        guard isAtEnd else { throw error("\"\(rest)\" is too much here") }
    }

    func error(_ sentence: String) -> ScriptError {
        ScriptError(file: file, line: number, sentence: sentence)
    }

    // MARK: Values

    mutating func word(for what: String) throws(ScriptError) -> String {
        guard let word = word() else { throw error("the line ends where \(what) belongs") }
        return word
    }

    /// A text in quotes, written as in JSON.
    mutating func text(for what: String) throws(ScriptError) -> String {
        guard rest.first == "\"" else { throw error("\(what) is a text in quotes, not \(rest.shownWord)") }
        var isEscaped = false
        for index in rest.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if rest[index] == "\\" {
                isEscaped = true
            } else if rest[index] == "\"" {
                let end = rest.index(after: index)
                defer { rest = rest[end...].trimmed }
                guard let text = try? JSONParser().parse(String(rest[..<end])).root.string else { break }
                return text
            }
        }
        throw error("the quote of \(what) is not closed, or what is in it is no JSON string")
    }

    mutating func duration() throws(ScriptError) -> Duration {
        let word = try word(for: "a duration")
        guard let duration = DurationText.parse(word) else {
            throw error("\"\(word)\" is no duration; write 300ms, 5s, 2h or 14d")
        }
        return duration
    }

    mutating func number(for what: String) throws(ScriptError) -> Int {
        let word = try word(for: what)
        guard let number = Int(word), number >= 0 else { throw error("\(what) is a whole number, not \"\(word)\"") }
        return number
    }

    mutating func pointer() throws(ScriptError) -> JSONPointer {
        let word = try word(for: "a JSON Pointer")
        if word == "body" { return JSONPointer() }
        guard let pointer = JSONPointer(word) else {
            throw error("\"\(word)\" is no JSON Pointer; write /data/0/id, or body for all of it")
        }
        return pointer
    }

    /// `Name: value`.
    mutating func field() throws(ScriptError) -> ScriptField {
        let text = remainder()
        guard let colon = text.firstIndex(of: ":") else {
            throw error("\"\(text)\" is no header field; write Name: value")
        }
        let name = String(text[..<colon])
        guard HTTPFields.isName(name) else { throw error("\"\(name)\" is no header field's name") }
        return ScriptField(name: name, value: String(text[text.index(after: colon)...].trimmed))
    }

    /// JSON to the end of the line; it is read already unless taken values are to be put into it.
    mutating func json() throws(ScriptError) -> String {
        let text = remainder()
        guard !text.contains("$") else { return text }
        do {
            _ = try JSONParser().parse(text)
        } catch {
            throw self.error("\(text.shownWord) is not valid JSON: \(error.sentence)")
        }
        return text
    }
}

extension Substring {
    /// Without white space around it.
    var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
        return start[...last]
    }
}

extension StringProtocol {
    /// The first word as it is shown in an error.
    var shownWord: String {
        let word = prefix { !$0.isWhitespace }
        return word.isEmpty ? "the end of the line" : "\"\(String(word).shortened)\""
    }
}
