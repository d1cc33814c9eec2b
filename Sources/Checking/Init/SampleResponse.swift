package import HTTPCodec
package import JSON

/// An answer that a contract documents, filled with values.
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
    func response(named name: String, showing tokens: [FoundToken], on shelf: inout DraftFixtures) -> JSONObject {
        response { value in
            let shown = tokens.reduce(value) { $0.replacing($1.pointer, by: .string("{{token.\($1.kind)}}")) }
            return shelf.place(shown, named: name)
        }
    }

    /// The same for an answer that many routes give: equal bodies are one fixture.
    func sharedResponse(named name: String, on shelf: inout DraftFixtures) -> JSONObject {
        response { shelf.share($0, named: name) }
    }

    private func response(placing place: (JSONValue) -> String) -> JSONObject {
        var response: JSONObject = [:]
        if status != 200 { response["status"] = .number(JSONNumber(status)) }
        if !fields.isEmpty {
            let headers = fields.map { ($0.name, JSONValue.string($0.value.withoutPlaceholders)) }
            response["headers"] = .object(JSONObject(headers))
        }
        switch body {
        case .none: response["empty"] = true
        case .text(let text): response["text"] = .string(text.withoutPlaceholders)
        case .json(let value): response["fixture"] = .string(place(value.withoutPlaceholders))
        }
        return response
    }
}

extension String {
    /// The text with every `{{` written so that it stands for two braces and begins no placeholder.
    package var withoutPlaceholders: String {
        var bytes: [UInt8] = []
        var isOpen = false
        for byte in utf8 {
            let isBrace = byte == UInt8(ascii: "{")
            if isBrace && isOpen {
                bytes.removeLast()
                bytes += Array("{{\"{{\"}}".utf8)
                isOpen = false
                continue
            }
            isOpen = isBrace
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONValue {
    /// The value with every string as ``String/withoutPlaceholders``; names are never placeholders.
    package var withoutPlaceholders: JSONValue {
        switch content {
        case .string(let text): .string(text.withoutPlaceholders)
        case .array(let elements): .array(elements.map(\.withoutPlaceholders))
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.name, $0.value.withoutPlaceholders) }))
        default: self
        }
    }

    /// The value with another one at a place inside objects; itself when there is no such place.
    package func replacing(_ pointer: JSONPointer, by value: JSONValue) -> JSONValue {
        guard let name = pointer.tokens.first else { return value }
        guard var object, let member = object[name] else { return self }
        object[name] = member.replacing(JSONPointer(tokens: Array(pointer.tokens.dropFirst())), by: value)
        return .object(object)
    }
}
