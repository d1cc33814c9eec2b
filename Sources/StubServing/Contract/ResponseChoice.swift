import HTTPCodec
import OpenAPI
import Simulation

/// The documented answer that fits a request: which response, with which status, in which media type.
struct ResponseChoice: Sendable {
    var response: DocumentedResponse
    var status: Int
    /// `nil` for an answer without a body.
    var content: MediaTypeContent?
    /// What the Content-Type field says.
    var mediaType = ""

    /// Why there is none.
    struct Failure: Error {
        var problem: Problem
    }

    init(_ operation: Operation, _ preferences: Preferences, _ accepted: AcceptedTypes) throws(Failure) {
        (response, status) = try Self.response(of: operation, preferences)
        guard !HTTPStatus(status).forbidsBody, status != 205, !response.content.isEmpty else { return }
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
        var candidates = ordered(operation.responses)
        guard !candidates.isEmpty else { throw Failure(problem: .nothingDocumented(operation)) }
        if let code = preferences.code {
            guard let wanted = choice(code, in: operation) else {
                throw Failure(problem: .unknownCode(code, operation))
            }
            candidates = [wanted]
        }
        guard let example = preferences.example else { return candidates[0] }
        guard let found = candidates.first(where: { $0.0.content.contains { $0.hasExample(example) } }) else {
            throw Failure(problem: .unknownExample(example, operation, candidates.map(\.0)))
        }
        return found
    }

    /// The answers by how likely they are meant: successes by their number, a range, the default, then the rest.
    private static func ordered(_ responses: [DocumentedResponse]) -> [(DocumentedResponse, Int)] {
        func rank(_ status: DocumentedResponse.Status) -> Int {
            switch status {
            case .code(let code): 200..<300 ~= code ? code : code < 200 ? 9_000 : 2_000 + code
            case .range(let first): first == 2 ? 300 : 2_000 + first * 100 + 99
            case .other: 1_000
            }
        }
        return responses.enumerated()
            .sorted { (rank($0.element.status), $0.offset) < (rank($1.element.status), $1.offset) }
            .map { ($0.element, status(of: $0.element)) }
    }

    /// The code that stands for a documented status: a range's first, and 200 for the default.
    private static func status(of response: DocumentedResponse) -> Int {
        switch response.status {
        case .code(let code): HTTPStatus(exactly: code)?.isInformational == false ? code : 200
        case .range(let first): 2...5 ~= first ? first * 100 : 200
        case .other: 200
        }
    }

    /// The answer that a client names by its code, its range or `default`.
    private static func choice(_ code: String, in operation: Operation) -> (DocumentedResponse, Int)? {
        if let number = Int(code), 200...999 ~= number {
            return operation.response(for: number).map { ($0, number) }
        }
        let name = code.uppercased()
        let found = operation.responses.first { $0.status.description.uppercased().utf8.elementsEqual(name.utf8) }
        return found.map { ($0, status(of: $0)) }
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

    /// The one type that a documented one stands for, which may be a range.
    private static func concrete(_ text: String, _ accepted: AcceptedTypes) -> (type: MediaType, text: String)? {
        guard let type = MediaType(parsing: text) else { return nil }
        guard type.isRange else { return (type, text) }
        if let wanted = accepted.concreteType(in: type) { return (wanted, wanted.essence) }
        let stand =
            switch type.type {
            case "*", "application": "application/json"
            case "text": "text/plain"
            case "image": "image/png"
            default: "\(type.type)/octet-stream"
            }
        return MediaType(parsing: stand).map { ($0, stand) }
    }
}

extension MediaTypeContent {
    func hasExample(_ name: String) -> Bool {
        examples.contains { $0.name.map { $0.utf8.elementsEqual(name.utf8) } ?? false }
    }
}
