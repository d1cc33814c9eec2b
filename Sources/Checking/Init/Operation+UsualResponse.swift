package import HTTPCodec
package import OpenAPI

extension Operation {
    /// The answer to a request with which all is well, and a status for it.
    ///
    /// A documented success first, then `default` as 200, then a redirection, then whatever there is.
    var usualResponse: (response: DocumentedResponse, status: Int)? {
        let coded = responses.compactMap { response in
            response.status.ordinary.map { (response: response, status: $0) }
        }
        let sorted = coded.sorted { $0.status < $1.status }
        if let success = sorted.first(where: { 200..<300 ~= $0.status }) { return success }
        if let other = responses.first(where: { $0.status == .other }) { return (other, 200) }
        return sorted.first { $0.status >= 200 }
    }

    /// The answer to a request without a good token, and a status for it; `nil` when nothing like it is documented.
    var refusal: (response: DocumentedResponse, status: Int)? {
        // 419 and 440 are common for sessions that are over, though nobody has registered them.
        let refusing = [401, 403, 419, 440]
        if let status = refusing.first(where: { status in responses.contains { $0.status == .code(status) } }),
            let response = response(for: status)
        {
            return (response, status)
        }
        return response(for: 401).map { ($0, 401) }
    }
}

extension DocumentedResponse.Status {
    /// The code, or the first one of a range; `nil` for `default`.
    fileprivate var ordinary: Int? {
        switch self {
        case .code(let code): code
        case .range(let first): first * 100
        case .other: nil
        }
    }
}

extension [MediaTypeContent] {
    /// JSON before text before anything else, and otherwise in the order of the contract.
    package var byPreference: [MediaTypeContent] {
        enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }
}

extension MediaTypeContent {
    fileprivate var rank: Int {
        if mediaType.hasPrefix("application/json") { return 0 }
        if concreteType.isJSON { return 1 }
        return mediaType.hasPrefix("text/") ? 2 : 3
    }

    /// A media type that the key stands for: itself, or one out of its range.
    package var concreteType: (text: String, isJSON: Bool) {
        switch mediaType {
        case "*/*", "application/*", "*": return ("application/json", true)
        case "text/*": return ("text/plain; charset=utf-8", false)
        case "image/*": return ("image/png", false)
        default: break
        }
        guard let parsed = MediaType(parsing: mediaType), parsed.subtype != "*" else {
            return ("application/octet-stream", false)
        }
        return (mediaType, parsed.isJSON)
    }
}
