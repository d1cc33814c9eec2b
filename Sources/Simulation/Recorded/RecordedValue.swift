import Basics
package import JSON
import ScenarioFormat

/// A value in a document that tells what happened, with its place for messages.
///
/// Documents come from anywhere, so nothing is assumed: every reader reports what it expects instead of what it
/// found.
package struct RecordedValue: Sendable {
    package let value: JSONValue
    package let pointer: JSONPointer

    /// The whole document.
    package init(_ document: JSONValue) {
        value = document
        pointer = JSONPointer()
    }

    private init(_ value: JSONValue, at pointer: JSONPointer) {
        self.value = value
        self.pointer = pointer
    }

    package func problem(_ message: String) -> RecordingProblem {
        RecordingProblem(message, at: pointer)
    }

    package func expected(_ wanted: String) -> RecordingProblem {
        let found = value.string.map { "\"\($0.shortened.printable)\"" } ?? value.number?.text.shortened
        return problem("requires \(wanted), not \(found ?? value.kindName)")
    }

    // MARK: Parts

    /// A member that must be there.
    package func member(_ name: String) throws(RecordingProblem) -> RecordedValue {
        guard let object = value.object else { throw expected("an object") }
        guard let member = object[name] else { throw problem("lacks \"\(name)\"") }
        return RecordedValue(member, at: pointer.appending(name))
    }

    /// A member that may be missing or null; `nil` also if this is not an object.
    package func optional(_ name: String) -> RecordedValue? {
        value[name].flatMap { $0.isNull ? nil : RecordedValue($0, at: pointer.appending(name)) }
    }

    package func elements() throws(RecordingProblem) -> [RecordedValue] {
        guard let elements = value.array else { throw expected("a list") }
        return elements.enumerated().map { RecordedValue($1, at: pointer.appending($0)) }
    }

    package func members() throws(RecordingProblem) -> [(name: String, value: RecordedValue)] {
        guard let object = value.object else { throw expected("an object") }
        return object.members.map { ($0.name, RecordedValue($0.value, at: pointer.appending($0.name))) }
    }

    // MARK: Values

    /// The value of a member that must be there.
    func read<Value: Recorded>(_ name: String) throws(RecordingProblem) -> Value {
        try Value(member(name), in: RecordedStyle())
    }

    /// The value of a member that may be missing or null.
    func read<Value: Recorded>(ifPresent name: String) throws(RecordingProblem) -> Value? {
        guard let json = optional(name) else { return nil }
        return try Value(json, in: RecordedStyle())
    }

    /// - Parameter read: `nil` for a value that is not what is wanted.
    func take<Value>(_ wanted: String, _ read: (JSONValue) -> Value?) throws(RecordingProblem) -> Value {
        guard let taken = read(value) else { throw expected(wanted) }
        return taken
    }

    /// One of the values of an enumeration.
    func choice<Choice: RawRepresentable<String>>(among choices: some Collection<Choice>) throws(RecordingProblem)
        -> Choice
    {
        try take("one of \(choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))") { value in
            value.string.flatMap { text in choices.first { $0.rawValue.exact == text.exact } }
        }
    }

    /// A number with up to three digits after the point.
    func duration(in unit: RecordedUnit) throws(RecordingProblem) -> Duration {
        let thousandths = try take("a number of \(unit.rawValue)") { $0.number?.thousandths }
        return unit == .seconds ? .milliseconds(thousandths) : .microseconds(thousandths)
    }
}

/// The unit of a length of time that a document has as a number.
package enum RecordedUnit: String {
    case seconds
    case milliseconds

    func number(_ duration: Duration) -> JSONValue {
        .number(self == .seconds ? .seconds(duration) : .milliseconds(duration))
    }
}

extension JSONNumber {
    /// Milliseconds with up to three digits after the point.
    package static func milliseconds(_ duration: Duration) -> JSONNumber {
        decimal(duration.wholeMicroseconds)
    }

    /// Seconds with up to three digits after the point.
    static func seconds(_ duration: Duration) -> JSONNumber {
        decimal(duration.wholeMicroseconds / 1_000)
    }

    /// A thousandth of a whole number, exactly.
    private static func decimal(_ thousandths: Int64) -> JSONNumber {
        let magnitude = thousandths.magnitude
        let whole = "\(thousandths < 0 ? "-" : "")\(magnitude / 1_000)"
        let rest = magnitude % 1_000
        guard rest > 0 else { return JSONNumber(whole) ?? 0 }
        var digits = String(rest + 1_000).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return JSONNumber("\(whole).\(digits)") ?? 0
    }
}

extension JSONNumber {
    /// A thousand times the number, cut behind the point; `nil` beyond what a clock can mean.
    fileprivate var thousandths: Int64? {
        let bound: Int64 = 4_000_000_000_000_000_000
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? Array(parts[1].prefix(3)) : []
        let digits = Array(parts[0]) + fraction
        // A number with an exponent, or one too long to be exact, was not written from a clock.
        guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
            let value = (double * 1_000).rounded(.towardZero)
            return value.magnitude < Double(bound) ? Int64(value) : nil
        }
        let padding = String(repeating: "0", count: 3 - fraction.count)
        guard let value = Int64(String(decoding: digits, as: UTF8.self) + padding), value.magnitude < bound else {
            return nil
        }
        return value
    }
}

/// The reason why a document cannot be read as a session's recording.
package struct RecordingProblem: Error, Sendable, Hashable {
    /// The place in the document; the root for the whole of it.
    package var pointer: JSONPointer
    /// The mistake and what was expected, without the place.
    package var message: String

    package init(_ message: String, at pointer: JSONPointer = JSONPointer()) {
        self.message = message
        self.pointer = pointer
    }

    /// The mistake, its place, and what was expected, without a closing full stop.
    package var sentence: String {
        pointer.isRoot ? message : "\(pointer) \(message)"
    }
}
