import Foundation

extension Endpoint {
    /// A path below `/api/v2`, or another version, whose answer has something to tell.
    static func smeemData(
        _ method: HTTPMethod,
        _ path: String...,
        version: Int = 2,
        query: [URLQueryItem] = [],
        body: Body = .none,
        authorization: Authorization = .session
    ) -> Endpoint where Value: Decodable {
        smeem(method, path, version, query, body, authorization) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: SmeemEnvelope<Value>.self).data
        }
    }

    /// Every call but GET may meet the lock of somebody else's call, and is sent again a little later: what was refused
    /// by it was not begun.
    static func smeem(
        _ method: HTTPMethod,
        _ path: [String],
        _ version: Int = 2,
        _ query: [URLQueryItem] = [],
        _ body: Body = .none,
        _ authorization: Authorization = .session,
        _ read: @escaping @Sendable (TransportResponse) throws(ServiceProblem) -> Value
    ) -> Endpoint {
        Endpoint(
            method: method,
            path: ["api", "v\(version)"] + path,
            query: query,
            body: body,
            authorization: authorization,
            isPatient: method != .get,
            read: read
        )
    }
}

extension Endpoint<Void> {
    /// A path below `/api/v2` whose answer says that it is done, with a body or without one.
    static func smeemDone(_ method: HTTPMethod, _ path: String..., body: Body = .none) -> Endpoint {
        smeem(method, path, 2, [], body) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            guard response.status != 204 else { return }
            _ = try response.decoded(as: SmeemDone.self)
        }
    }
}
