package import Basics
package import JSON
package import ScenarioFormat

/// A value in the document of a journal, which is written and read in one form.
package protocol Recorded {
    init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem)

    func json(in style: RecordedStyle) -> JSONValue
}

/// An object in the document of a journal, whose members are listed once for writing and reading.
package protocol RecordedObject: Recorded {
    /// A value whose members are read next.
    init()

    /// Writes the value's members in the order of the list, or reads them.
    mutating func list(in form: inout RecordedForm)
}

/// The moment from which a document counts, and whether it leaves out what differs between two runs.
package struct RecordedStyle: Sendable {
    /// The real moment that moments are counted from; without one they are left out.
    package var epoch: MonotonicTime?
    package var isCanonical: Bool

    package init(since epoch: MonotonicTime? = nil, isCanonical: Bool = false) {
        self.epoch = epoch
        self.isCanonical = isCanonical
    }
}

/// Writes the members of an object, or reads them from one.
///
/// After the first problem nothing more is read.
package struct RecordedForm {
    package let style: RecordedStyle
    /// The object that is read; `nil` where one is written.
    private let source: RecordedValue?
    package private(set) var object = JSONObject()
    private var problem: RecordingProblem?

    fileprivate init(reading source: RecordedValue? = nil, in style: RecordedStyle) {
        self.source = source
        self.style = style
    }

    package var isReading: Bool { source != nil }

    /// A member that is always there.
    package mutating func member<Value: Recorded>(_ name: String, _ value: inout Value) {
        guard let source else { return object[name] = value.json(in: style) }
        read { style throws(RecordingProblem) in value = try Value(source.member(name), in: style) }
    }

    /// A member that is always written; a document without it means `missing`.
    package mutating func member<Value: Recorded>(_ name: String, _ value: inout Value, or missing: Value) {
        guard let source else { return object[name] = value.json(in: style) }
        guard let json = source.optional(name) else { return value = missing }
        read { style throws(RecordingProblem) in value = try Value(json, in: style) }
    }

    /// A member that is left out where it has its usual value.
    package mutating func member<Value: Recorded & Equatable>(_ name: String, _ value: inout Value, unless usual: Value)
    {
        if isReading || value != usual { member(name, &value, or: usual) }
    }

    /// A member that is left out, or null, where there is no value.
    package mutating func member<Value: Recorded>(_ name: String, _ value: inout Value?, orNull isNull: Bool = false) {
        guard let source else {
            if value != nil || isNull { object[name] = value?.json(in: style) ?? .null }
            return
        }
        guard let json = source.optional(name) else { return value = nil }
        read { style throws(RecordingProblem) in value = try Value(json, in: style) }
    }

    /// A length of time as a number; `nil` leaves the member out.
    package mutating func member(_ name: String, _ value: inout Duration?, in unit: RecordedUnit) {
        guard let source else {
            if let value { object[name] = unit.number(value) }
            return
        }
        guard let json = source.optional(name) else { return value = nil }
        read { _ throws(RecordingProblem) in value = try json.duration(in: unit) }
    }

    /// A length of time as a number, which is left out where it is zero.
    package mutating func member(_ name: String, _ value: inout Duration, in unit: RecordedUnit) {
        var length = value == .zero ? nil : Optional(value)
        member(name, &length, in: unit)
        value = length ?? .zero
    }

    /// A member that has one of some words only.
    package mutating func member<Value: RawRepresentable<String>>(
        _ name: String,
        _ value: inout Value,
        among choices: [Value]
    ) {
        guard let source else { return object[name] = .string(value.rawValue) }
        read { _ throws(RecordingProblem) in value = try source.member(name).choice(among: choices) }
    }

    /// A member that is written for readers of the document, and follows from the others.
    package mutating func note(_ name: String, _ value: some Recorded) {
        if !isReading { object[name] = value.json(in: style) }
    }

    /// Refuses the document where a member, or an element of one, is not what is required.
    package mutating func require(_ isMet: Bool, _ path: [String], _ message: @autoclosure () -> String) {
        guard let source, problem == nil, !isMet else { return }
        problem = RecordingProblem(message(), at: path.reduce(source.pointer) { $0.appending($1) })
    }

    private mutating func read(_ body: (RecordedStyle) throws(RecordingProblem) -> Void) {
        guard problem == nil else { return }
        do throws(RecordingProblem) { try body(style) } catch { problem = error }
    }

    fileprivate func finish() throws(RecordingProblem) {
        if let problem { throw problem }
    }
}

extension RecordedObject {
    package init(_ json: RecordedValue, in style: RecordedStyle = RecordedStyle()) throws(RecordingProblem) {
        self.init()
        var form = RecordedForm(reading: json, in: style)
        list(in: &form)
        try form.finish()
    }

    package func json(in style: RecordedStyle) -> JSONValue { .object(object(in: style)) }

    package func object(in style: RecordedStyle = RecordedStyle()) -> JSONObject {
        var (value, form) = (self, RecordedForm(in: style))
        value.list(in: &form)
        return form.object
    }
}

// MARK: Values

extension JSONValue: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) { self = json.value }
    package func json(in style: RecordedStyle) -> JSONValue { self }
}

extension JSONObject: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.take("an object", \.object)
    }

    package func json(in style: RecordedStyle) -> JSONValue { .object(self) }
}

extension String: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.take("a string", \.string)
    }

    package func json(in style: RecordedStyle) -> JSONValue { .string(self) }
}

extension Bool: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.take("true or false", \.bool)
    }

    package func json(in style: RecordedStyle) -> JSONValue { .bool(self) }
}

extension Int: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.take("a whole number", \.int)
    }

    package func json(in style: RecordedStyle) -> JSONValue { .number(JSONNumber(self)) }

    /// The same as a number that is never negative.
    package var asCount: UInt64 {
        get { UInt64(clamping: self) }
        set { self = Int(clamping: newValue) }
    }
}

extension UInt64: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.take("a whole number that is not negative") { value in
            value.number.flatMap { number in number.int.flatMap { UInt64(exactly: $0) } ?? UInt64(number.text) }
        }
    }

    package func json(in style: RecordedStyle) -> JSONValue { .number(JSONNumber(self)) }
}

extension VirtualTime: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.take("a timestamp such as \"2026-03-01T09:00:00Z\"") { $0.string.flatMap { VirtualTime($0) } }
    }

    package func json(in style: RecordedStyle) -> JSONValue { .string(description) }
}

/// A moment of the machine's clock as milliseconds since the document's.
extension MonotonicTime: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = (style.epoch ?? MonotonicTime(nanoseconds: 0)).advanced(by: try json.duration(in: .milliseconds))
    }

    package func json(in style: RecordedStyle) -> JSONValue {
        .number(.milliseconds((style.epoch ?? MonotonicTime(nanoseconds: 0)).duration(to: self)))
    }
}

/// A length of time as scenario files write it.
extension Duration: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.take("a duration such as \"90s\"") { $0.string.flatMap(DurationText.parseSigned) }
    }

    package func json(in style: RecordedStyle) -> JSONValue { .string(DurationText.text(self)) }
}

extension Array: Recorded where Element: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.elements().map { element throws(RecordingProblem) in try Element(element, in: style) }
    }

    package func json(in style: RecordedStyle) -> JSONValue { .array(map { $0.json(in: style) }) }
}

/// Members in the order of their names' bytes.
extension Dictionary: Recorded where Key == String, Value: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = [:]
        for member in try json.members() { self[member.name] = try Value(member.value, in: style) }
    }

    package func json(in style: RecordedStyle) -> JSONValue {
        let sorted = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object(JSONObject(sorted.map { ($0.key, $0.value.json(in: style)) }))
    }
}

extension Recorded where Self: RawRepresentable<String> & CaseIterable {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self = try json.choice(among: Self.allCases)
    }
}

extension Recorded where Self: RawRepresentable<String> {
    package func json(in style: RecordedStyle) -> JSONValue { .string(rawValue) }
}
