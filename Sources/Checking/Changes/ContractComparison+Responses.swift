import OpenAPI

/// Responses: their statuses, bodies and headers.
extension ContractComparison {
    mutating func compareResponses(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        for response in after.responses {
            guard let earlier = before.response(covering: response.status) else {
                let effect: ChangeEffect =
                    responses == .request ? .safe : response.status.isServerError ? .depends : .breaks
                let sentence = "response \(response.status) is new"
                tell("status-added", sentence, effect, at: response.position, old: before.position)
                continue
            }
            compare(earlier, response)
        }
        for response in before.responses where !after.responses.contains(where: { $0.status == response.status }) {
            // A status of the older revision, such as 404, may be in a range of the newer one, such as 4XX.
            if case .code(let code) = response.status, let later = after.response(for: code) {
                compare(response, later)
                continue
            }
            // Codes that the range held before have been compared with it.
            let isRefined =
                if case .range(let first) = response.status {
                    after.responses.contains {
                        if case .code(let code) = $0.status { code / 100 == first } else { $0.status == .other }
                    }
                } else {
                    false
                }
            let effect: ChangeEffect =
                responses == .request || response.status.isSuccess && !isRefined ? .breaks : .safe
            let sentence = "response \(response.status) was removed"
            tell("status-removed", sentence, effect, at: after.position, old: response.position)
        }
    }

    private mutating func compare(_ before: DocumentedResponse, _ after: DocumentedResponse) {
        let part = "response \(after.status)"
        // A response of these has no content (RFC 9110, sections 15.3.5 and 15.4.5).
        if ![.code(204), .code(304)].contains(where: { $0 == before.status || $0 == after.status }) {
            compare(before.content, after.content, responses, part, at: (after.position, before.position))
        }
        subject = .header
        defer { subject = .response }
        for header in before.headers where !header.isContentType {
            let subject = "\(part): the header `\(header.name)`"
            guard let same = after.headers.first(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                let effect: ChangeEffect = header.isRequired && responses == .response ? .breaks : .depends
                tell("header-removed", "\(subject) was removed", effect, at: after.position, old: header.position)
                continue
            }
            compare(header, same, responses, subject, part: "\(part), header")
        }
        for header in after.headers where !header.isContentType {
            guard !before.headers.contains(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                continue
            }
            let effect: ChangeEffect = header.isRequired && responses == .request ? .breaks : .safe
            let sentence = "\(part): the header `\(header.name)` is new\(header.isRequired ? " and required" : "")"
            tell("header-added", sentence, effect, at: header.position, old: before.position)
        }
    }
}

extension Parameter {
    /// A Boolean value that indicates whether it is the header field that the content describes, so that this description
    /// is ignored (OpenAPI 3.1, section 4.8.17.1).
    fileprivate var isContentType: Bool { name.lowercased() == "content-type" }
}

extension OpenAPI.Operation {
    /// The response that an older client takes a status for.
    fileprivate func response(covering status: DocumentedResponse.Status) -> DocumentedResponse? {
        if case .code(let code) = status { return response(for: code) }
        return responses.first { $0.status == status } ?? responses.first { $0.status == .other }
    }
}

extension DocumentedResponse.Status {
    fileprivate var isServerError: Bool {
        switch self {
        case .code(let code): code >= 500
        case .range(let first): first == 5
        case .other: true
        }
    }
}
