import JSON

/// A type of values in scenario files: what JSON it is, and what it is read as.
struct ValueType<Value: Sendable>: Sendable {
    var shape: Shape
    /// Returns nil where the value has another shape, which the shape check reports.
    var read: @Sendable (JSONValue) -> Value?
    /// The value as a file has it, for defaults on the reference page.
    var show: @Sendable (Value) -> String = { "\($0)" }
}

extension ValueType<Bool> {
    static var boolean: Self { Self(shape: .boolean, read: { $0.bool }) }
}

extension ValueType<Int> {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(shape: .integer(range), read: { $0.number?.int })
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
    /// A value that is read further where it is used, with its place.
    static func json(_ shape: Shape) -> Self {
        Self(shape: shape, read: { $0 }, show: { $0.text(.compact) })
    }

    static func object(_ type: any FormatObject.Type) -> Self { json(.object(type)) }
}

extension ValueType<[JSONObject.Member]> {
    /// An object whose member names are chosen by the author.
    static func map(of element: Shape, names: TextForm) -> Self {
        Self(shape: .map(of: element, names: names), read: { Optional($0).members })
    }
}

extension ValueType {
    /// One word of several.
    static func word(_ type: Value.Type) -> ValueType<Value>
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        ValueType<Value>(
            shape: .words(type),
            read: { $0.string.flatMap(Value.init(rawValue:)) },
            show: { "\"\($0.rawValue)\"" }
        )
    }

    static func list<Element>(of element: ValueType<Element>, count: ClosedRange<Int> = 0...Int.max) -> Self
    where Value == [Element] {
        let read = element.read
        return Self(shape: .list(of: element.shape, count: count)) { $0.array?.compactMap(read) }
    }

    /// One value, or an array of at least one.
    static func oneOrMore<Element>(_ element: ValueType<Element>) -> Self where Value == [Element] {
        let read = element.read
        return Self(shape: .oneOrMore(element.shape)) { ($0.array ?? [$0]).compactMap(read) }
    }
}
