import Foundation

/// One request that a server supports, and how its response is read.
struct Endpoint<Value: Sendable>: Sendable {
    var method: HTTPMethod
    /// Segments below the service's base URL; each is percent-encoded, so an identifier may hold anything.
    var path: [String]
    var query: [URLQueryItem] = []
    var body = Body.none
    var authorization = Authorization.session
    /// A Boolean value that indicates whether the server is asked again, after a pause, when it is too busy (429).
    var retriesWhenBusy = false
    /// Seconds until the response has to be there; `nil` for as long as the service allows everything else.
    var timeout: TimeInterval?
    /// A Boolean value that indicates whether the request goes out once more with a new token, when the first was
    /// refused.
    var isSentAgain = true
    /// Reads a response that is not a refusal of the session's token.
    var read: @Sendable (TransportResponse) throws(ServiceProblem) -> Value

    enum Body: Sendable {
        case none
        case json(any Encodable & Sendable)
        case multipart(MultipartBody)
    }

    enum Authorization: Sendable {
        /// No user has to be signed in, and no token is sent.
        case none
        /// The session's access token, renewed where needed.
        case session
        /// A token that is not the session's, as the value of the field.
        case field(String, String)
    }
}

extension Endpoint {
    /// An endpoint whose response is a JSON document.
    static func json(
        _ method: HTTPMethod,
        _ path: String...,
        query: [URLQueryItem] = [],
        body: Body = .none,
        authorization: Authorization = .session,
        retriesWhenBusy: Bool = false
    ) -> Endpoint where Value: Decodable {
        Endpoint(
            method: method,
            path: path,
            query: query,
            body: body,
            authorization: authorization,
            retriesWhenBusy: retriesWhenBusy
        ) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: Value.self)
        }
    }
}

extension Endpoint<Void> {
    /// An endpoint whose response is that it is done.
    static func command(
        _ method: HTTPMethod,
        _ path: String...,
        body: Body = .none,
        authorization: Authorization = .session
    ) -> Endpoint {
        Endpoint(method: method, path: path, body: body, authorization: authorization) {
            response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
        }
    }
}

extension TransportResponse {
    /// The body as a value.
    func decoded<Value: Decodable>(as type: Value.Type) throws(ServiceProblem) -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let error as DecodingError {
            throw .undecodable(UndecodableResponse(status: status, body: body, reason: error))
        } catch {
            let context = DecodingError.Context(codingPath: [], debugDescription: "\(error)", underlyingError: error)
            throw .undecodable(UndecodableResponse(status: status, body: body, reason: .dataCorrupted(context)))
        }
    }
}

/// A form of several parts (RFC 7578), written once, so that it is the same when it is sent again.
struct MultipartBody: Sendable {
    struct Part: Sendable {
        var name: String
        var fileName: String?
        var mediaType: String?
        var content: Data
    }

    var parts: [Part] = []
    /// The separator of the parts; must not occur in any of them.
    var boundary = "backlot-\(UUID().uuidString)"

    mutating func add(_ name: String, _ text: String) {
        parts.append(Part(name: name, content: Data(text.utf8)))
    }

    mutating func add(_ name: String, file content: Data, named fileName: String, _ mediaType: String) {
        parts.append(Part(name: name, fileName: fileName, mediaType: mediaType, content: content))
    }

    var mediaType: String { "multipart/form-data; boundary=\(boundary)" }

    var data: Data {
        var data = Data()
        for part in parts {
            data.append(Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name.quotable)\"".utf8))
            if let fileName = part.fileName { data.append(Data("; filename=\"\(fileName.quotable)\"".utf8)) }
            if let mediaType = part.mediaType { data.append(Data("\r\nContent-Type: \(mediaType)".utf8)) }
            data.append(Data("\r\n\r\n".utf8))
            data.append(part.content)
            data.append(Data("\r\n".utf8))
        }
        data.append(Data("--\(boundary)--\r\n".utf8))
        return data
    }
}

extension String {
    /// Quotation marks and line ends percent-encoded, as browsers do it (WHATWG HTML, multipart form data).
    fileprivate var quotable: String {
        replacingOccurrences(of: "\r", with: "%0D").replacingOccurrences(of: "\n", with: "%0A")
            .replacingOccurrences(of: "\"", with: "%22")
    }
}
