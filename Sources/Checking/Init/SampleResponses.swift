import Basics
package import HTTPCodec
package import JSON
import JSONSchema
package import OpenAPI
import ScenarioFormat
package import Simulation

/// Fills a contract's responses with values: examples where they are valid, else what the schema allows.
package struct SampleResponses: Sendable {
    package let seed: UInt64
    private let messages: DocumentedMessages

    package init(_ contract: Contract, seed: UInt64) {
        self.seed = seed
        messages = DocumentedMessages(contract: contract)
    }

    package var contract: Contract { messages.contract }

    /// An operation's response to a valid request, or the likeliest one when it documents no success.
    ///
    /// - Returns: `nil` when nothing is documented, or no valid value was found.
    package func usual(of operation: Operation) -> SampleResponse? {
        guard let (response, status) = operation.servedResponses.first else { return nil }
        return answer(response, status: status, of: operation)
    }

    package func answer(_ response: DocumentedResponse, status: Int, of operation: Operation) -> SampleResponse? {
        // The label and not the number, so that a fixture stays the same when operations come or go.
        var chance = Chance(seed: seed, stream: StableHash("\(operation.label) \(status)").value)
        guard let (body, mediaType) = body(of: response, status: status, using: &chance) else { return nil }
        return answer(response, status: status, body: body, mediaType: mediaType, using: &chance)
    }

    /// A response with this body and the header fields that the contract requires or shows.
    package func answer(
        _ response: DocumentedResponse,
        status: Int,
        body: SampleResponse.Body,
        mediaType: String?,
        using chance: inout Chance
    ) -> SampleResponse? {
        var fields: [(name: String, value: String)] = []
        if let mediaType { fields.append(("Content-Type", mediaType)) }
        for header in response.headers where !header.name.isManagedField {
            guard header.isRequired || messages.shows(header) && !header.name.dependsOnRequest else { continue }
            guard HTTPFields.isName(header.name), let text = messages.fieldText(of: header, &chance) else {
                if header.isRequired { return nil }
                continue
            }
            fields.append((header.name, text))
        }
        return SampleResponse(status: status, fields: fields, body: body)
    }

    // MARK: Bodies

    /// A body, and its media type where it is not what a scenario sends anyway.
    private func body(
        of response: DocumentedResponse,
        status: Int,
        using chance: inout Chance
    ) -> (SampleResponse.Body, String?)? {
        guard response.hasBody(with: status) else { return (.none, nil) }
        for content in response.content.byPreference {
            if let body = body(content, status: status, using: &chance) { return body }
        }
        return nil
    }

    private func body(
        _ content: MediaTypeContent,
        status: Int,
        using chance: inout Chance
    ) -> (SampleResponse.Body, String?)? {
        var value = messages.example(content.examples, of: content.schema)?.value
        if value == nil {
            value = content.schema.map { messages.body($0, status: status, &chance) } ?? .object(JSONObject())
        }
        guard value != nil || !content.concreteType.isJSON else { return nil }
        return body(content, value)
    }

    /// A value as the body of a media type; anything but JSON may do without one.
    package func body(_ content: MediaTypeContent, _ value: JSONValue?) -> (SampleResponse.Body, String?) {
        let type = content.concreteType
        if type.isJSON, let value {
            let isUsual = type.text.exact == "application/json"
            return (.json(value), isUsual ? nil : type.text)
        }
        let text = value?.string ?? (value.flatMap { $0.array == nil && $0.object == nil ? $0.text() : nil }) ?? ""
        return (.text(text), type.text)
    }
}

extension String {
    /// Fields that a scenario leaves to the server, or that follow from the body.
    fileprivate var isManagedField: Bool {
        ["content-type", "content-length", "transfer-encoding", "connection"].contains(lowercased())
    }

    /// A Boolean value that indicates whether a field says how the body answers one request, so that its example fits no
    /// other.
    fileprivate var dependsOnRequest: Bool {
        let name = lowercased()
        return ["date", "age", "trailer", "upgrade", "content-encoding", "content-range", "content-md5"].contains(name)
            || name.hasPrefix("access-control-") || name.hasSuffix("digest")
    }
}

extension SampleResponses {
    /// Everything that the contract shows for a documented response: each media type, each valid example.
    ///
    /// - Returns: responses by what distinguishes them, `nil` for the only one.
    package func variants(
        of response: DocumentedResponse,
        status: Int,
        of operation: Operation
    ) -> [(name: String?, answer: SampleResponse)] {
        guard response.hasBody(with: status) else {
            return answer(response, status: status, of: operation).map { [(nil, $0)] } ?? []
        }
        var variants: [(name: String?, answer: SampleResponse)] = []
        for content in response.content {
            var chance = Chance(
                seed: seed,
                stream: StableHash("\(operation.label) \(status) \(content.mediaType)").value
            )
            let type = response.content.count > 1 ? content.mediaType : nil
            let examples = messages.validExamples(content.examples, of: content.schema)
            let bodies =
                examples.isEmpty
                ? [(name: nil, body: body(content, status: status, using: &chance))]
                : examples.map { (name: examples.count > 1 ? $0.name : nil, body: body(content, $0.value)) }
            for (name, body) in bodies {
                guard let (body, mediaType) = body,
                    let answer = answer(response, status: status, body: body, mediaType: mediaType, using: &chance)
                else { continue }
                let parts = [type, name].compactMap(\.self)
                variants.append((parts.isEmpty ? nil : parts.joined(separator: " "), answer))
            }
        }
        return variants
    }
}

/// A response that a contract documents, filled with values.
package struct SampleResponse: Sendable {
    package enum Body: Sendable {
        case none
        case json(JSONValue)
        case text(String)
    }

    package var status: Int
    /// Header fields by name, in the order of the contract.
    package var fields: [(name: String, value: String)]
    package var body: Body

    /// The body, when it is JSON.
    package var json: JSONValue? {
        if case .json(let value) = body { value } else { nil }
    }

    /// The whole message.
    package var response: HTTPResponse {
        let bytes =
            switch body {
            case .none: [UInt8]()
            case .json(let value): value.utf8()
            case .text(let text): Array(text.utf8)
            }
        return HTTPResponse(status: HTTPStatus(exactly: status) ?? .ok, fields: httpFields, body: bytes)
    }

    /// The fields as the stub sends them, its own media type for JSON included.
    package var httpFields: HTTPFields {
        var sent = HTTPFields()
        if json != nil, !fields.contains(where: { $0.name == "Content-Type" }) {
            sent.append("Content-Type", "application/json")
        }
        for field in fields { sent.append(field.name, field.value) }
        return sent
    }
}

extension SampleResponse {
    /// The keys of a scenario's response; JSON goes into a fixture.
    ///
    /// - Parameters:
    ///   - name: the fixture's name, without folder and ending.
    ///   - tokens: places in the body where a granted token is shown instead of the value.
    func response(named name: String, showing tokens: [FoundToken], on fixtures: inout DraftFixtures) -> DraftRoute {
        response { value in
            let shown = tokens.reduce(value) { $0.replacing($1.pointer, with: .string("{{token.\($1.kind)}}")) }
            return fixtures.place(shown, named: name)
        }
    }

    /// The same for a response that many routes give: equal bodies are one fixture.
    func sharedResponse(named name: String, on fixtures: inout DraftFixtures) -> DraftRoute {
        response { fixtures.share($0, named: name) }
    }

    private func response(placing place: (JSONValue) -> String) -> DraftRoute {
        let headers = fields.map { ($0.name, JSONValue.string(DraftText.literal($0.value))) }
        var response: DraftRoute = [
            .status: status == 200 ? nil : .number(status),
            .headers: headers.isEmpty ? nil : .object(JSONObject(headers)),
        ]
        switch body {
        case .none: response[.empty] = true
        case .text(let text): response[.text] = .string(DraftText.literal(text))
        case .json(let value): response[.fixture] = .string(place(DraftText.literal(value)))
        }
        return response
    }
}
