import Basics
package import JSON
package import ScenarioFormat

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
        guard let member = object[name] else { throw problem("has no \"\(name)\"") }
        return RecordedValue(member, at: pointer.appending(name))
    }

    /// A member that may be missing or null; `nil` also if this is not an object.
    package func optional(_ name: String) -> RecordedValue? {
        value[name].flatMap { $0.isNull ? nil : RecordedValue($0, at: pointer.appending(name)) }
    }

    /// The elements of a member that is a list, and may be missing.
    package func list(_ name: String) throws(RecordingProblem) -> [RecordedValue] {
        guard let list = optional(name) else { return [] }
        return try list.elements()
    }

    package func elements() throws(RecordingProblem) -> [RecordedValue] {
        guard let elements = value.array else { throw expected("a list") }
        return elements.enumerated().map { RecordedValue($1, at: pointer.appending($0)) }
    }

    package func members() throws(RecordingProblem) -> [(name: String, value: RecordedValue)] {
        guard let object = value.object else { throw expected("an object") }
        return object.members.map { ($0.name, RecordedValue($0.value, at: pointer.appending($0.name))) }
    }

    // MARK: Texts and numbers

    package func string() throws(RecordingProblem) -> String {
        guard let string = value.string else { throw expected("a string") }
        return string
    }

    package func bool() throws(RecordingProblem) -> Bool {
        guard let bool = value.bool else { throw expected("true or false") }
        return bool
    }

    package func int() throws(RecordingProblem) -> Int {
        guard let int = value.int else { throw expected("a whole number") }
        return int
    }

    /// The number of a launch, which counts from one.
    package func launch() throws(RecordingProblem) -> Int {
        guard let launch = value.int, launch > 0 else { throw expected("a launch's number from 1") }
        return launch
    }

    /// A whole number that is not negative.
    package func count() throws(RecordingProblem) -> UInt64 {
        guard let number = value.number, let count = number.int.flatMap({ UInt64(exactly: $0) }) ?? UInt64(number.text)
        else { throw expected("a whole number that is not negative") }
        return count
    }

    /// One of the values of an enumeration.
    package func choice<Choice: RawRepresentable<String>>(
        among choices: [Choice]
    ) throws(RecordingProblem) -> Choice {
        let choice = value.string.flatMap { text in choices.first { $0.rawValue.utf8.elementsEqual(text.utf8) } }
        guard let choice else {
            throw expected("one of \(choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))")
        }
        return choice
    }

    // MARK: Times

    package func moment() throws(RecordingProblem) -> VirtualTime {
        guard let moment = value.string.flatMap({ VirtualTime($0) }) else {
            throw expected("a timestamp such as \"2026-03-01T09:00:00Z\"")
        }
        return moment
    }

    /// A length as scenario files write it.
    package func duration() throws(RecordingProblem) -> Duration {
        guard let duration = value.string.flatMap(DurationText.parseSigned) else {
            throw expected("a duration such as \"90s\"")
        }
        return duration
    }

    /// A number of milliseconds with up to three digits after the point.
    package func milliseconds() throws(RecordingProblem) -> Duration {
        guard let thousandths = value.number?.thousandths else { throw expected("a number of milliseconds") }
        return .microseconds(thousandths)
    }

    /// A number of seconds with up to three digits after the point.
    package func seconds() throws(RecordingProblem) -> Duration {
        guard let thousandths = value.number?.thousandths else { throw expected("a number of seconds") }
        return .milliseconds(thousandths)
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
