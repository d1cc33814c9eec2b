import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// A response, and what can be said of it before there is a request.
///
/// A class, because exchanges refer to it; it never changes.
final class CompiledResponse: Sendable {
    let response: StubResponse
    /// Distinguishes it among the responses of its script.
    let number: Int
    /// The parts of the story that it plays.
    let parts: [StoryPart]
    /// The placeholders that a request can lack, so that the response cannot be made.
    let demands: [Placeholder]
    /// The name of the found file whose content is sent.
    let demandedContent: String?
    /// The changes of items, in order and before everything else.
    let itemChanges: [ItemChange]
    /// A Boolean value that indicates whether its header fields are the same for every request but for the date.
    let hasConstantHead: Bool
    /// A Boolean value that indicates whether nothing on the server is different after it.
    let changesNothing: Bool
    /// A Boolean value that indicates whether it is sent unchanged, regardless of the format that the client accepts.
    let isPlain: Bool
    /// A Boolean value that indicates whether it, or a change with it, reads the request's body as JSON.
    let readsBody: Bool
    /// A Boolean value that indicates whether it opens a WebSocket.
    let isWebSocket: Bool
    /// A Boolean value that indicates whether the upstream server responds.
    let isForwarded: Bool
    /// Its body and the body's type, where they are the same for every request.
    let constantBody: (bytes: [UInt8], type: String?)?
    /// The rendered response when it was first asked for, if every message of it is the same but for the date.
    private let preparation: Lock<PreparedResponse??>?

    init(_ response: StubResponse, number: Int, parts: [StoryPart] = []) {
        self.response = response
        self.parts = parts
        self.number = number
        itemChanges = response.changes.compactMap { if case .change(let change) = $0.action { change } else { nil } }
        readsBody = (response.placeholders + itemChanges.flatMap(\.placeholders)).contains { placeholder in
            placeholder.sources.contains { if case .request(.body) = $0 { true } else { false } }
        }
        let made = itemChanges.compactMap(\.boundName)
        // A place in what was found may get its value by the changes, which come before the body.
        let shown = itemChanges.isEmpty ? response.placeholders : response.placeholders.map(\.demandingItemAlone)
        demands = (shown + itemChanges.flatMap(\.placeholders)).filter { placeholder in
            placeholder.isDemand && !made.contains { name in placeholder.sources.contains { $0.speaks(of: name) } }
        }
        demandedContent = response.body.contentName.flatMap { name in
            made.contains { $0.exact == name.exact } ? nil : name
        }
        // The type of an uploaded file is in the head.
        let isConstant = response.headers.allSatisfy { $0.value.constant != nil }
        isWebSocket = response.body.isWebSocket
        hasConstantHead = isConstant && response.body.contentName == nil && !isWebSocket
        changesNothing = response.grants.isEmpty && response.signIn == nil && response.changes.isEmpty
        isPlain = response.negotiation.isPlain
        isForwarded = response.isForwarded
        constantBody = response.body.constant
        preparation = hasConstantHead && isPlain && constantBody != nil ? Lock(nil) : nil
    }

    /// A Boolean value that indicates whether every message of it is the same but for the date.
    var isConstant: Bool { hasConstantHead && constantBody != nil }

    /// A constant response, rendered but for its date; `nil` where it is not sent in one piece with others after it.
    var prepared: PreparedResponse? {
        preparation?.withLock { preparation in
            if let known = preparation { return known }
            let made = rendered
            preparation = .some(made)
            return made
        }
    }

    private var rendered: PreparedResponse? {
        guard let body = constantBody else { return nil }
        var fields = HTTPFields()
        for header in response.headers { fields.append(header.name, header.value.constant ?? "") }
        return PreparedResponse(
            status: HTTPStatus(exactly: response.status) ?? 500,
            fields: fields.naming(body.type),
            body: body.bytes
        )
    }
}

extension StubResponse {
    /// Every placeholder of the response's message and sign-in.
    fileprivate var placeholders: [Placeholder] {
        let signIn = (self.signIn?.device?.placeholders ?? []) + (self.signIn?.account?.placeholders ?? [])
        return body.placeholders + signIn + headers.flatMap { $0.value.placeholders }
    }
}

extension ResponseBody {
    /// The body and its type, where they are the same for every request.
    fileprivate var constant: (bytes: [UInt8], type: String?)? {
        switch self {
        case .none: return ([], nil)
        case .bytes(let bytes, let type): return (bytes, type)
        case .text(let template): return template.constant.map { (Array($0.utf8), Self.textType) }
        case .json(_, let template):
            var bytes: [UInt8] = []
            for part in template.parts {
                guard case .bytes(let fixed) = part else { return nil }
                bytes += fixed
            }
            return (bytes, Self.jsonType)
        case .tree, .content, .events, .webSocket, .forwarded: return nil
        }
    }

    /// The name by which a file is found whose bytes are sent.
    fileprivate var contentName: String? {
        if case .content(let name) = self { name } else { nil }
    }

    /// A Boolean value that indicates whether the head depends on the request.
    fileprivate var isWebSocket: Bool {
        if case .webSocket = self { true } else { false }
    }
}

extension Placeholder {
    /// The same, but for a place in what the route has found it asks for no more than that something was found.
    fileprivate var demandingItemAlone: Placeholder {
        guard case .found(let name, _) = source, alternatives.isEmpty else { return self }
        return Placeholder(
            source: .found(name, JSONPointer()),
            fallback: fallback,
            mayBeOmitted: mayBeOmitted,
            text: text
        )
    }

    /// A Boolean value that indicates whether a request can lack the value without anything standing in for it.
    fileprivate var isDemand: Bool {
        guard fallback == nil, !mayBeOmitted else { return false }
        if dependsOnRequest { return true }
        guard alternatives.isEmpty else { return false }
        // What the request always has can be of a kind that cannot be turned into another. Of what the session has,
        // nothing is asked beforehand, because counters count when they are asked.
        switch source {
        case .request(.pathParameter), .request(.body), .wholeBody: return conversion != nil
        // Such as a division by a value of the path that is zero.
        case .arithmetic(let computation):
            let sources = computation.placeholders.flatMap(\.sources)
            let hasPathValue = sources.contains { if case .request(.pathParameter) = $0 { true } else { false } }
            return hasPathValue && !sources.contains { if case .counter = $0 { true } else { false } }
        default: return false
        }
    }
}

extension Placeholder.Source {
    /// Returns whether it is what the route has found, or the response makes, under a name.
    fileprivate func speaks(of name: String) -> Bool {
        switch self {
        case .found(let found, _), .foundAccountName(let found): found.exact == name.exact
        default: false
        }
    }
}

extension ItemChange {
    /// The placeholders of what is made or changed.
    ///
    /// Those that items are selected by are not among them: where such a value is missing, no item fits.
    fileprivate var placeholders: [Placeholder] {
        switch self {
        case .create(let creation):
            creation.item.placeholders + (creation.owner?.placeholders ?? [])
                + (creation.accountName?.placeholders ?? [])
        case .update(_, let edit):
            (edit.set + edit.add + edit.remove).flatMap(\.value.placeholders)
        case .delete: []
        case .upload(let upload): upload.path.placeholders
        case .each(let elements, let change): elements.placeholders + change.placeholders
        }
    }
}
