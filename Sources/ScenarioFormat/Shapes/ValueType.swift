import Basics
import JSON

/// A type of values in scenario files: what JSON it is, and what it is read as.
struct ValueType<Value: Sendable>: Sendable {
    var shape: Shape
    /// Returns nil where the value has another shape, which the shape check reports.
    var read: @Sendable (JSONValue, inout ScenarioBuilder) -> Value?
    /// The value as a file has it, for defaults on the reference page; nil for one that the page does not show.
    var show: @Sendable (Value) -> String?

    init(
        _ shape: Shape,
        show: @escaping @Sendable (Value) -> String? = { _ in nil },
        read: @escaping @Sendable (JSONValue, inout ScenarioBuilder) -> Value?
    ) {
        (self.shape, self.read, self.show) = (shape, read, show)
    }

    /// A type of values that need nothing but their JSON.
    init(
        shape: Shape,
        read: @escaping @Sendable (JSONValue) -> Value?,
        show: @escaping @Sendable (Value) -> String? = { _ in nil }
    ) {
        self.init(shape, show: show) { tree, _ in read(tree) }
    }
}

extension ValueType<Bool> {
    static var boolean: Self { Self(shape: .boolean, read: { $0.bool }, show: { "\($0)" }) }
}

extension ValueType<Int> {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(shape: .integer(range), read: { $0.number?.int }, show: { "\($0)" })
    }

    /// Bytes a second.
    static var rate: Self { Self(shape: .text(.rate), read: { $0.string.flatMap(RateText.parse) }) }
}

extension ValueType<Double> {
    static func number(_ range: ClosedRange<Double>) -> Self {
        Self(shape: .number(range), read: { $0.number?.double }, show: { JSONNumber($0)?.description ?? "\($0)" })
    }
}

extension ValueType<String> {
    static func text(_ form: TextForm) -> Self {
        Self(shape: .text(form), read: { $0.string }, show: { "\"\($0)\"" })
    }
}

extension ValueType<Duration> {
    static var duration: Self { written(as: .duration, DurationText.parse) }
    static var signedDuration: Self { written(as: .signedDuration, DurationText.parseSigned) }
    static var longDuration: Self { written(as: .longDuration, DurationText.parse) }

    private static func written(as form: TextForm, _ parse: @escaping @Sendable (String) -> Duration?) -> Self {
        Self(
            shape: .text(form),
            read: { $0.string.flatMap(parse) },
            show: { "\"\(DurationText.text($0))\"" }
        )
    }
}

extension ValueType<VirtualTime> {
    static func moment(_ form: TextForm) -> Self {
        Self(shape: .text(form), read: { $0.string.flatMap(VirtualTime.init) })
    }
}

extension ValueType<JSONValue> {
    /// A value that is kept as it is written.
    static func json(_ shape: Shape) -> Self { Self(shape: shape, read: { $0 }) }
}

extension ValueType {
    static func list<Element>(of element: ValueType<Element>, count: ClosedRange<Int> = 0...Int.max) -> Self
    where Value == [Element] {
        let read = element.read
        return Self(.list(of: element.shape, count: count)) { tree, builder in
            tree.array?.compactMap { read($0, &builder) }
        }
    }

    /// One value, or an array of at least one.
    static func oneOrMore<Element>(_ element: ValueType<Element>) -> Self where Value == [Element] {
        let read = element.read
        return Self(.oneOrMore(element.shape)) { tree, builder in
            (tree.array ?? [tree]).compactMap { read($0, &builder) }
        }
    }
}

extension ValueType where Value: RawRepresentable<String> & CaseIterable {
    /// One word of several.
    static var word: Self {
        Self(shape: .words(Value.self), read: { $0.string.flatMap(Value.init) }, show: { "\"\($0.rawValue)\"" })
    }
}

extension ValueType {
    /// Values that are made of others.
    static func of<Part>(
        _ part: ValueType<Part>,
        _ make: @escaping @Sendable (Part, JSONValue, inout ScenarioBuilder) -> Value?
    ) -> Self {
        Self(part.shape) { tree, builder in
            part.read(tree, &builder).flatMap { make($0, tree, &builder) }
        }
    }

    static func of<Part>(_ part: ValueType<Part>, _ make: @escaping @Sendable (Part) -> Value?) -> Self {
        of(part) { part, _, _ in make(part) }
    }

    /// One of several types, identified by the kind of the JSON value.
    static func choice(_ types: Self...) -> Self {
        let choices = types.map { (kinds: $0.shape.kinds, read: $0.read) }
        return Self(.choice(types.map(\.shape))) { tree, builder in
            choices.first { $0.kinds.contains(tree.kindName) }?.read(tree, &builder)
        }
    }

    /// The same values, which the JSON Schema defines once by this name.
    func shared(_ name: String) -> Self {
        var type = self
        type.shape = .shared(name, shape)
        return type
    }

    /// The members of an object whose names the author chooses.
    static func map<Element>(
        names: TextForm,
        of element: Shape,
        _ read: @escaping @Sendable (JSONObject.Member, inout ScenarioBuilder) -> Element?
    ) -> Self where Value == [Element] {
        Self(.map(of: element, names: names)) { tree, builder in
            Optional(tree).members.compactMap { read($0, &builder) }
        }
    }
}

extension ScenarioBuilder {
    /// Reads a value; `nil` if it is missing or has the wrong shape.
    mutating func read<Value>(_ tree: JSONValue?, as type: ValueType<Value>) -> Value? {
        tree.flatMap { type.read($0, &self) }
    }
}
