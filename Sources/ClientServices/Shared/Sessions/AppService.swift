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

    /// Makes these tokens the session's, once they are stored.
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
            try await client.session.renew()
        } catch {
            throw Failure(error)
        }
    }

    /// Ends the session here, and clears the store.
    ///
    /// - Parameter session: the number of the session to end; `nil` for the present one. A later one goes on.
    func end(_ session: Int? = nil) async throws(Failure) {
        do throws(ServiceProblem) {
            try await client.session.end(session)
        } catch {
            throw Failure(error)
        }
    }
}
