import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat
import Simulation

extension TreeTemplate {
    /// The body with a value for each placeholder, in their order; one without a value leaves its member or element out.
    func filled(with values: [JSONValue?]) -> JSONValue {
        var rest = values[...]
        return filled(taking: &rest) ?? .null
    }

    private func filled(taking values: inout ArraySlice<JSONValue?>) -> JSONValue? {
        switch self {
        case .constant(let value): return value
        case .value(_, let position): return (values.popFirst() ?? nil)?.placed(at: position)
        case .text(let template, let position):
            let texts = template.parts.map { part in
                switch part {
                case .literal(let text): text
                case .placeholder: (values.popFirst() ?? nil)?.plainText ?? ""
                }
            }
            return JSONValue(.string(texts.joined()), at: position)
        case .array(let elements, let position):
            return JSONValue(.array(elements.compactMap { $0.filled(taking: &values) }), at: position)
        case .object(let members, let position):
            let filled = members.compactMap { member in
                member.value.filled(taking: &values).map {
                    JSONObject.Member(name: member.name, namePosition: member.namePosition, value: $0)
                }
            }
            return JSONValue(.object(JSONObject(filled)), at: position)
        }
    }
}

extension JSONValue {
    /// The value with one place for it and all that it holds, except for what has a place already.
    fileprivate func placed(at position: JSONPosition) -> JSONValue {
        let position = beginning ?? position
        switch content {
        case .array(let values):
            return JSONValue(.array(values.map { $0.placed(at: position) }), at: position)
        case .object(let object):
            let members = object.members.map {
                JSONObject.Member(
                    name: $0.name,
                    namePosition: $0.namePosition.isKnown ? $0.namePosition : position,
                    value: $0.value.placed(at: position)
                )
            }
            return JSONValue(.object(JSONObject(members)), at: position)
        default:
            return JSONValue(content, at: position)
        }
    }

    /// The value as it is in a text: a string without quotes, nothing for null, else its JSON.
    var plainText: String {
        switch content {
        case .string(let text): text
        case .null: ""
        default: text(.compact)
        }
    }
}

extension JSONValue {
    /// The beginning of the value; for an object that was made of parts, that of the first of them.
    var beginning: JSONPosition? {
        if position.isKnown { return position }
        return object?.members.lazy.map(\.value.position).first(where: \.isKnown)
    }
}

/// The value of a placeholder, as far as it is known before there is a request.
enum PlaceholderSample {
    case known(JSONValue)
    /// Some text of the request.
    case text
    /// Any JSON value of the request.
    case anything
    /// The replacement for a part of the request.
    case converted(Placeholder.Conversion)
    /// Nothing, so that its member or element is left out.
    case omitted

    /// Texts that a contract may require where the request's are shown, the plainest first.
    static let texts: [JSONValue] = [
        "1", "sample", "2026-01-15", "2026-01-15T09:30:00Z", "a3bb189e-8bf9-4c4b-9e5f-2f0b1d1c7a44",
        "someone@example.com", "https://example.com/a", "true", "A", "sample-text-of-some-length",
    ]

    static let values: [JSONValue] = texts + [1, 0.5, true, .null, [], [:]]

    private static let numbers: [JSONValue] = [1, 0, 20, 0.5, 1_768_469_400]

    /// The values to try in its place; `nil` means no value at all.
    var candidates: [JSONValue?] {
        switch self {
        case .known(let value): [value]
        case .text, .converted(.text), .converted(.encoded), .converted(.s256): Self.texts
        case .converted(.number): Self.numbers
        case .converted(.boolean): [true, false]
        case .converted(.words), .converted(.spacedWords): [["sample"], []]
        case .converted(.decoded), .converted(.prefix), .converted(.pair), .converted(.loopback),
            .converted(.alphanumeric):
            Self.texts
        case .anything: Self.values
        case .omitted: [nil]
        }
    }

    /// A Boolean value that indicates whether the kind of the value is certain, though the value is not.
    var hasCertainType: Bool {
        switch self {
        case .text, .converted: true
        case .known, .anything, .omitted: false
        }
    }
}

/// Makes samples for the placeholders of a scenario's responses.
struct PlaceholderSampler {
    /// 2026-01-15T09:30:00Z.
    static let now = VirtualTime(seconds: 1_768_469_400)
    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE3Njg0Njk0MDB9.c2FtcGxl"

    var scenario: Scenario
    var account: Account?
    var operation: Operation
    /// The found values, by name.
    var found: FoundSamples.Sample = [:]

    /// The sample for a placeholder.
    ///
    /// - Parameter isSparse: whether everything is left out that may be.
    func sample(_ placeholder: Placeholder, isSparse: Bool = false) -> PlaceholderSample {
        guard placeholder.alternatives.isEmpty else {
            return isSparse && placeholder.mayBeOmitted ? .omitted : .anything
        }
        if case .found(let name, let pointer) = placeholder.source, let value = found[name] {
            return converted(pointer.value(in: value), for: placeholder)
        }
        let sample = sample(of: placeholder)
        if case .known(let value) = sample { return converted(value, for: placeholder) }
        if isSparse, placeholder.mayBeOmitted { return .omitted }
        return placeholder.conversion.map(PlaceholderSample.converted) ?? sample
    }

    /// The shown part of a known value, or a guess where no value of the required kind is known.
    private func converted(_ value: JSONValue?, for placeholder: Placeholder) -> PlaceholderSample {
        var shown = value
        if let conversion = placeholder.conversion { shown = shown.flatMap { conversion.value(of: $0) } }
        if let shown { return .known(shown) }
        return placeholder.mayBeOmitted ? .omitted : placeholder.fallback.map(PlaceholderSample.known) ?? .anything
    }

    private func sample(of placeholder: Placeholder) -> PlaceholderSample {
        switch placeholder.source {
        case .constant(let value): .known(value)
        case .request(.method): .known(.string(operation.method.rawValue))
        case .base: .known("http://localhost:8080")
        case .request(.body), .wholeBody: .anything
        case .request(.part(_, .size)): .known(1_024)
        case .request(.account): account.map { .known(.string($0.name)) } ?? .text
        case .request, .target, .path: .text
        case .token(let kind, let aspect): .known(token(kind, aspect))
        case .clock(let format, let offset): .known(clock(format, Self.now + offset))
        case .counter(let name): .known(.number(JSONNumber((counter(name) ?? 0) + 1)))
        case .currentCounter(let name): .known(.number(JSONNumber(counter(name) ?? 0)))
        case .randomInteger(let range): .known(.number(JSONNumber(range.lowerBound)))
        case .randomHex(let digits): .known(.string(String(repeating: "a", count: digits)))
        case .randomChoice(let values): .known(values.first ?? .null)
        case .uuid: .known("a3bb189e-8bf9-4c4b-9e5f-2f0b1d1c7a44")
        case .accountData(let pointer): .known(accountData(pointer) ?? placeholder.fallback ?? .null)
        case .state(let name): .known(.string(scenario.states.first { $0.name == name }?.values.first ?? ""))
        case .sessionName: .known("default")
        case .exchangeNumber: .known(1)
        case .found, .item, .element, .presented, .issued, .keySet, .proof(.cnf): .anything
        case .proof: .text
        case .foundAccountName, .uploadedPart: .text
        case .originURL: .known("http://127.0.0.1:9848")
        case .rate: .known(1)
        case .arithmetic(let computation): .known(.number(result(of: computation)))
        }
    }

    private func result(of computation: Arithmetic) -> JSONNumber {
        let result = computation.result { placeholder in
            if case .known(let value) = sample(placeholder) { value } else { nil }
        }
        return result ?? 1
    }

    private func counter(_ name: String) -> Int? {
        scenario.counters.first { $0.name == name }?.start
    }

    private func accountData(_ pointer: JSONPointer) -> JSONValue? {
        account.flatMap { pointer.value(in: .object($0.data)) }
    }

    private func token(_ kind: String, _ aspect: Placeholder.TokenAspect) -> JSONValue {
        switch aspect {
        case .value: return .string(Self.token)
        case .id: return "\(kind)-1"
        case .lifetime:
            return .number(JSONNumber(scenario.tokens.kind(named: kind)?.lifetime.components.seconds ?? 3_600))
        case .issuedAt, .expiresAt: return .number(JSONNumber(Self.now.seconds))
        }
    }

    private func clock(_ format: Placeholder.ClockFormat, _ time: VirtualTime) -> JSONValue {
        switch format {
        case .timestamp: .string(VirtualTime(seconds: time.seconds).description)
        case .seconds: .number(JSONNumber(time.seconds))
        case .milliseconds: .number(JSONNumber(time.microseconds / 1_000))
        case .http: .string(HTTPDate.text(secondsSince1970: time.seconds))
        case .pattern(let pattern, let zone): .string(pattern.text(of: time, zone: zone))
        }
    }
}
