import JSON

extension ContractBuilder {
    /// Parts have headers, which may have content with parts: references could make that endless.
    private static let deepestPart = 4

    mutating func requestBody(_ node: ContractNode?) -> RequestBody? {
        guard let node = resolved(node), node.object != nil else { return nil }
        return RequestBody(
            isRequired: node.value["required"]?.bool ?? false,
            content: content(node["content"]),
            position: node.position
        )
    }

    /// The documented answers in the order of the file.
    mutating func responses(_ map: ContractNode?) -> [DocumentedResponse] {
        var responses: [DocumentedResponse] = []
        for (name, member) in map?.members ?? [] {
            guard let status = DocumentedResponse.Status(key: name), let node = resolved(member), node.object != nil
            else { continue }
            responses.append(
                DocumentedResponse(
                    status: status,
                    summary: node.value["description"]?.string ?? "",
                    headers: headers(node["headers"]),
                    content: content(node["content"]),
                    position: node.position,
                    uri: library.uri(of: node)
                )
            )
        }
        return responses
    }

    /// The media types of a body.
    mutating func content(_ map: ContractNode?, depth: Int = 0) -> [MediaTypeContent] {
        guard depth < Self.deepestPart else { return [] }
        var contents: [MediaTypeContent] = []
        for (mediaType, member) in map?.members ?? [] {
            // A reference here is new in 3.2, and harmless before.
            guard let node = resolved(member), node.object != nil else { continue }
            contents.append(
                MediaTypeContent(
                    mediaType: mediaType,
                    schema: schema(node["schema"]),
                    examples: examples(node),
                    encoding: encodings(node["encoding"], depth: depth),
                    position: node.position
                )
            )
        }
        return contents
    }

    private mutating func encodings(_ map: ContractNode?, depth: Int) -> [(name: String, encoding: Encoding)] {
        var encodings: [(name: String, encoding: Encoding)] = []
        for (name, node) in map?.members ?? [] where node.object != nil {
            let encoding = Encoding(
                contentType: node.value["contentType"]?.string,
                headers: headers(node["headers"], depth: depth + 1),
                style: node.value["style"]?.string.flatMap(Parameter.Style.init),
                explode: node.value["explode"]?.bool,
                allowsReserved: node.value["allowReserved"]?.bool ?? false
            )
            encodings.append((name, encoding))
        }
        return encodings
    }
}

extension DocumentedResponse.Status {
    /// Reads the key of a response: `200`, `4XX` or `default` (OpenAPI 3.1, section 4.8.16).
    init?(key: String) {
        if key.utf8.elementsEqual("default".utf8) {
            self = .other
            return
        }
        let bytes = Array(key.utf8)
        guard bytes.count == 3, 0x31...0x35 ~= bytes[0] else { return nil }
        if bytes[1...].elementsEqual("XX".utf8) {
            self = .range(Int(bytes[0] - 0x30))
        } else if bytes.allSatisfy({ 0x30...0x39 ~= $0 }), let code = Int(key) {
            self = .code(code)
        } else {
            return nil
        }
    }
}
