/// A service as it is inside: a client for requests, and words of its own for what goes wrong.
protocol AppService: Sendable {
    associatedtype Failure: ServiceWords

    var client: ServiceClient { get }
}

extension AppService {
    /// Asks the server, with the session's token where one is needed.
    func ask<Value>(_ endpoint: Endpoint<Value>) async throws(Failure) -> Value {
        do throws(ServiceProblem) {
            return try await client.value(endpoint)
        } catch {
            throw Failure(error)
        }
    }

    /// The tokens of whoever is signed in.
    func tokens() async throws(Failure) -> Tokens? {
        do throws(ServiceProblem) {
            return try await client.session.tokens()
        } catch {
            throw Failure(error)
        }
    }

    /// Makes these tokens the session's.
    func begin(_ tokens: Tokens) async throws(Failure) {
        do throws(ServiceProblem) {
            try await client.session.begin(tokens)
        } catch {
            throw Failure(error)
        }
    }

    /// Renews the tokens now, or waits for the renewal under way.
    func renew() async throws(Failure) {
        do throws(ServiceProblem) {
            _ = try await client.session.renew()
        } catch {
            throw Failure(error)
        }
    }
}
