import Basics
package import HTTPCodec
import OpenAPI
import Simulation

/// The documented response that fits a request: which response, with which status, in which media type.
struct ResponseChoice: Sendable {
    var response: DocumentedResponse
    var status: Int
    /// `nil` for a response without a body.
    var content: MediaTypeContent?
    /// The value of the Content-Type field.
    var mediaType = ""

    /// The reason why there is no response.
    struct Failure: Error {
        var problem: Problem
    }

    init(_ operation: Operation, _ preferences: Preferences, _ accepted: AcceptedTypes) throws(Failure) {
        (response, status) = try Self.response(of: operation, preferences)
        guard response.hasBody(with: status) else { return }
        let offered = response.content.filter { content in
            preferences.example.map { content.hasExample($0) } ?? true
        }
        guard let best = Self.best(of: offered, accepted) else {
            throw Failure(problem: .notAcceptable(operation, status, offered.map(\.mediaType)))
        }
        (content, mediaType) = best
    }

    // MARK: Status

    private static func response(
        of operation: Operation,
        _ preferences: Preferences
    ) throws(Failure) -> (DocumentedResponse, Int) {
        var candidates = operation.servedResponses
        guard !candidates.isEmpty else {
            let problem =
                operation.responses.isEmpty
                ? Problem.nothingDocumented(operation) : .onlyInformational(operation)
            throw Failure(problem: problem)
        }
        if let code = preferences.code {
            guard let wanted = choice(code, in: operation) else {
                throw Failure(problem: .unknownCode(code, operation))
            }
            guard !wanted.0.status.isInformational else { throw Failure(problem: .onlyInformational(operation, code)) }
            candidates = [wanted]
        }
        guard let example = preferences.example else { return candidates[0] }
        guard let found = candidates.first(where: { $0.0.content.contains { $0.hasExample(example) } }) else {
            throw Failure(problem: .unknownExample(example, operation, candidates.map(\.0)))
        }
        return found
    }

    /// The answer that a client names by its code, its range or `default`.
    private static func choice(_ code: String, in operation: Operation) -> (DocumentedResponse, Int)? {
        if let number = Int(code), 200...999 ~= number {
            return operation.response(for: number).map { ($0, number) }
        }
        let name = code.uppercased()
        let found = operation.responses.first { $0.status.description.uppercased().exact == name.exact }
        return found.flatMap { response in response.servedStatus(by: operation).map { (response, $0) } }
    }

    // MARK: Media type

    private static func best(
        of contents: [MediaTypeContent],
        _ accepted: AcceptedTypes
    ) -> (MediaTypeContent, String)? {
        var best: (content: MediaTypeContent, mediaType: String, quality: Double, isJSON: Bool)?
        for content in contents {
            guard let type = concrete(content.mediaType, accepted) else { continue }
            let quality = accepted.quality(of: type.type)
            let isJSON = type.type.isJSON
            guard quality > 0 else { continue }
            if let best, (quality, isJSON ? 1 : 0) <= (best.quality, best.isJSON ? 1 : 0) { continue }
            best = (content, type.text, quality, isJSON)
        }
        return best.map { ($0.content, $0.mediaType) }
    }

    /// A concrete type for a documented one, which may be a range.
    private static func concrete(_ text: String, _ accepted: AcceptedTypes) -> (type: MediaType, text: String)? {
        guard let type = MediaType(parsing: text) else { return nil }
        guard type.isRange else { return (type, text) }
        if let wanted = accepted.concreteType(in: type) { return (wanted, wanted.essence) }
        return MediaType(parsing: type.representative).map { ($0, type.representative) }
    }
}

extension DocumentedResponse.Status {
    fileprivate var isInformational: Bool {
        switch self {
        case .code(let code): code < 200
        case .range(let first): first == 1
        case .other: false
        }
    }
}

extension MediaTypeContent {
    /// The names by which a client may ask for an example.
    var exampleNames: [String] { examples.compactMap(\.name) + serializedExamples.map(\.name) }

    func hasExample(_ name: String) -> Bool {
        exampleNames.contains { $0.exact == name.exact }
    }
}

/// The media types that a client takes, from its `Accept` fields (RFC 9110, section 12.5.1).
package struct AcceptedTypes: Sendable {
    private struct Range: Sendable {
        var type: MediaType
        /// Without the weight.
        var parameters: [MediaType.Parameter]
        var quality: Double

        var specificity: Int {
            type.type == "*" ? 0 : type.isRange ? 1 : 2 + parameters.count
        }
    }

    /// Empty: everything.
    private var ranges: [Range] = []

    package init(_ fields: HTTPFields) {
        guard let value = fields.joinedValue(of: "Accept") else { return }
        // No client sends more of them.
        for item in value.split(separator: ",").prefix(100) {
            guard let type = MediaType(parsing: String(item)) else { continue }
            let weight = type.parameter("q").flatMap(Double.init) ?? 1
            ranges.append(
                Range(
                    type: type,
                    parameters: type.parameters.filter { $0.name != "q" },
                    quality: min(max(weight, 0), 1)
                )
            )
        }
    }

    /// The weight that a client gives a media type, from 0 to 1, by its most specific range.
    package func quality(of type: MediaType) -> Double {
        guard !ranges.isEmpty else { return 1 }
        var best: (specificity: Int, quality: Double)?
        for range in ranges where type.lies(in: range.type) {
            let isCloser = range.parameters.allSatisfy { wanted in
                type.parameter(wanted.name)?.lowercased() == wanted.value.lowercased()
            }
            // A parameter that is documented nowhere, such as a version or a charset, does not keep a client from a response.
            let specificity = isCloser ? range.specificity : 2
            if specificity > best?.specificity ?? -1 { best = (specificity, range.quality) }
        }
        return best?.quality ?? 0
    }

    /// The type that a client names and that lies in a documented range such as `text/*`.
    func concreteType(in range: MediaType) -> MediaType? {
        let named = ranges.filter { $0.quality > 0 && !$0.type.isRange && $0.type.lies(in: range) }
        return named.max { $0.quality < $1.quality }.flatMap { MediaType(parsing: $0.type.essence) }
    }
}

/// The preferences of a client in `Prefer` fields (RFC 7240), as far as a documented response can meet them.
struct Preferences: Sendable, Hashable {
    /// The status, as the contract names it: `404`, `4XX` or `default`.
    var code: String?
    /// The name of an example.
    var example: String?
    /// A Boolean value that indicates whether the body is to be made from the schema although there are examples.
    var isDynamic = false
    /// The seed to make it from.
    var seed: UInt64?
    /// A Boolean value that indicates whether the response says which of them it meets.
    var isAnnounced = true

    init(_ fields: HTTPFields) {
        guard fields.contains("Prefer") else { return }
        // Of a preference that is there twice, the first counts (RFC 7240, section 2).
        var seen: Set<String> = []
        for item in fields.values(of: "Prefer").flatMap(Self.items) where seen.insert(item.name).inserted {
            switch item.name {
            case "code": code = item.value.isEmpty ? nil : item.value
            case "example": example = item.value.isEmpty ? nil : item.value
            case "dynamic": isDynamic = item.value.isEmpty || item.value.lowercased() == "true"
            case "seed": seed = UInt64(item.value)
            default: break
            }
        }
    }

    var isEmpty: Bool { code == nil && example == nil && !isDynamic && seed == nil }

    /// The value of `Preference-Applied` (RFC 7240, section 3).
    var applied: String {
        var parts: [String] = []
        if let code { parts.append("code=\(Self.word(code))") }
        if let example { parts.append("example=\(Self.word(example))") }
        if isDynamic { parts.append("dynamic=true") }
        if let seed { parts.append("seed=\(seed)") }
        return parts.joined(separator: ", ")
    }

    private static func word(_ text: String) -> String {
        if HTTPFields.isName(text) { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    // MARK: Reading

    /// The preferences of one field, their names in lower case, without their parameters.
    private static func items(of field: String) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        var reader = Reader(rest: Array(field.utf8)[...])
        while !reader.rest.isEmpty {
            let item = reader.item()
            if !item.name.isEmpty { items.append(item) }
        }
        return items
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// Reads up to the next comma that is not quoted, and takes it.
        mutating func item() -> (name: String, value: String) {
            let name = Self.trimmed(text(until: "=;,")).lowercased()
            var value = ""
            if rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                value = Self.trimmed(text(until: ";,"))
            }
            while let next = rest.first, next != UInt8(ascii: ",") {
                rest.removeFirst()
                _ = text(until: ";,")
            }
            rest = rest.dropFirst()
            return (name, value)
        }

        /// The text up to one of the characters outside of quotes, without the quotes themselves.
        private mutating func text(until ends: String) -> String {
            var text: [UInt8] = []
            var isQuoted = false
            while let next = rest.first {
                if !isQuoted, ends.utf8.contains(next) { break }
                rest.removeFirst()
                switch next {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "\\") where isQuoted: if let escaped = rest.popFirst() { text.append(escaped) }
                default: text.append(next)
                }
            }
            return String(decoding: text, as: UTF8.self)
        }

        private static func trimmed(_ text: String) -> String {
            String(text.trimming { $0 == " " || $0 == "\t" })
        }
    }
}
