import Basics
import JSON
import JSONSchema
import OpenAPI

/// Adds to a sample response with an access token what the contract documents for it and a random sample can lack: the
/// refresh token, and a type of the token that a client knows.
struct DocumentedGrant: Sendable {
    private let contract: Contract

    init(_ contract: Contract) { self.contract = contract }

    func completing(_ route: DraftedRoute) -> DraftedRoute {
        guard TokenFinder.tokens(in: route) != nil, var body = route.answer.json?.object else { return route }
        let names = sampledNames(of: route.operation)
        var route = route
        for (word, value) in [("refreshtoken", "refresh"), ("tokentype", "Bearer")] {
            // RFC 6749, section 5.1: both are members of the response; a refresh token is optional.
            guard let name = names.first(where: { TokenFinder.plain($0) == word }),
                word == "tokentype" || body[name] == nil
            else { continue }
            var other = body
            other[name] = .string(value)
            var completed = route.answer
            completed.body = .json(.object(other))
            guard ContractEvaluator(contract).allows(completed, to: route.operation) else { continue }
            (body, route.answer) = (other, completed)
        }
        return route
    }

    /// The members that the schema of the served response documents, if no example shows them.
    private func sampledNames(of operation: Operation) -> [String] {
        guard let content = operation.servedResponses.first?.response.content.byPreference.first,
            content.examples.isEmpty, let schema = content.schema.flatMap(contract.schemas.id)
        else { return [] }
        return contract.propertyNames(of: schema)
    }
}

extension Contract {
    /// The names of the members that the schema of an object declares, also in the alternatives of `oneOf` and `anyOf`.
    func propertyNames(of schema: SchemaID) -> [String] {
        let parts = schemas.program.parts(of: schema)
        let alternatives = parts.flatMap { $0.choices.oneOf + $0.choices.anyOf }
        return (parts + alternatives.flatMap(schemas.program.parts)).flatMap(\.objects.properties).map(\.name)
    }
}
