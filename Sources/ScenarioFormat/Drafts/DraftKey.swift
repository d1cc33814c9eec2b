/// A key of the format in a generated scenario file.
///
/// The objects of the format declare the names of the cases, which `DraftKeyTests` verifies.
package protocol DraftKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// The keys that generated files contain, by object.
package enum DraftKeys {
    /// The keys of a backend or a story, of its clock, its defaults and its collections.
    package enum Scenario: String, DraftKey {
        case schema = "$schema"
        case extends, backend, id, title, about, bugClasses, contract, clock, accounts, tokens, issuer, routes, states
        case counters, collections, defaults, cors, given, timeline, processes, hold, expect
        case start, rate, frozen, automatic, headers, latency, items
    }

    /// The keys of the token rules, of a kind and its rotation, and of a requirement.
    package enum Tokens: String, DraftKey {
        case kinds, claims, jti, lifetime, `in`, format, rotate, terminal, reject, grace, reuse, `is`
    }

    /// The keys of the place of a token in a request.
    package enum Carrier: String, DraftKey { case header, scheme, body, query }

    /// The keys of an issuer and its clients.
    package enum Issuer: String, DraftKey { case paths, clients, pkce, scopes, secret, redirects }

    /// The keys of a route, a case or a response.
    package enum Route: String, DraftKey {
        case when, requires, find, cases, responses, afterLast, status, headers, cookies, json, text, fixture, file
        case events, webSocket, empty, grants, signIn, then, fault, latency, dribble, gzip, ranges, etag, breaks,
            optional
    }

    /// The keys of a latency and of a delivery in pieces.
    package enum Delivery: String, DraftKey { case fixed, uniform, logNormal, clock, median, sigma, chunks, over }

    /// The keys of an event in a stream.
    package enum StreamEvent: String, DraftKey { case event, id, retry, comment, json, text }

    /// The keys of a WebSocket.
    package enum WebSocket: String, DraftKey { case subprotocols }

    /// The keys of a cookie.
    package enum Cookie: String, DraftKey { case value, path, lifetime, httpOnly, sameSite }

    /// The keys of the rule for pages of other origins.
    package enum CrossOrigin: String, DraftKey { case expose, credentials }

    /// The keys of a condition and of the credentials in it.
    package enum Condition: String, DraftKey {
        case method, path, header, query, body, form, cookie, basic, state, found, all, any, not, user, password
    }

    /// The keys of a condition on one value.
    package enum Matcher: String, DraftKey {
        case equals, oneOf, exists, contains, atLeast, atMost, matches, type, length, not
    }

    /// The keys of a selection of items and of its page.
    package enum Selection: String, DraftKey {
        case one, all, `where`, when, orderBy, descending, show, page, number, first, limit
    }

    /// The keys of an event and of its time.
    package enum Event: String, DraftKey {
        case signIn, account, signOut, expire, revoke, advance, set, rate, automatic, freeze, fault, route, times
        case launch, store, process, `do`, state, create, item, `as`, update, unset, delete, ago, at, after, optional
    }

    /// The keys of an expectation and of the exchange that an event follows.
    package enum Expectation: String, DraftKey { case request, count, status, client, atLeast, atMost }

    /// The keys of a gate and of the response that opens it.
    package enum Gate: String, DraftKey { case name, requests, until, order, decide, quiet, times, optional, answered }
}
