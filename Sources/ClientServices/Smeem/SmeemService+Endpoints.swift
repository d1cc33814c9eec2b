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
        smeem(method, path, version, query, body, authorization) { reply throws(ServiceProblem) in
            guard reply.isSuccess else { throw .status(reply) }
            return try reply.decoded(as: SmeemEnvelope<Value>.self).data
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
        _ read: @escaping @Sendable (TransportReply) throws(ServiceProblem) -> Value
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
        smeem(method, path, 2, [], body) { reply throws(ServiceProblem) in
            guard reply.isSuccess else { throw .status(reply) }
            guard reply.status != 204 else { return }
            _ = try reply.decoded(as: SmeemDone.self)
        }
    }
}
