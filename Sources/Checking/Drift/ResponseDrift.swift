package import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

/// The comparison of a real response with that of a scenario to the same request: status, structure of the body, and header
/// fields that clients act on.
package struct ResponseDrift {
    /// A difference, and its place in the scenario.
    package struct Difference: Hashable {
        /// The id of the finding.
        package var id: String
        /// The difference, for a sentence after the name of the route.
        package var words: String
        package var place: Place?
    }

    /// The files of a scenario, for the places of responses and for their bodies.
    package final class Sources: Sendable {
        fileprivate let loaded: LoadedScenario
        fileprivate let fixtures: Lock<ParsedFixtures>

        package init(_ loaded: LoadedScenario, files: any FileReading) {
            self.loaded = loaded
            fixtures = Lock(ParsedFixtures(files: files))
        }

        /// The body of a response in its file; `nil` if the body is not JSON.
        fileprivate func body(of response: StubResponse) -> ResponseMaterial.Body {
            fixtures.withLock { ResponseMaterial(response, in: loaded, fixtures: &$0).body }
        }

        fileprivate func place(of pointer: JSONPointer, in response: StubResponse) -> Place {
            let document = response.fixture.flatMap { fixture in
                fixtures.withLock { $0.document(at: fixture.path, number: fixture.document) }
            }
            let body = document ?? response.bodyMember?.value
            var position = body.map(pointer.position) ?? .unknown
            if !position.isKnown { position = response.bodyMember?.value.position ?? response.position }
            return loaded.sources.place(of: position)
        }
    }

    /// The response that the scenario gives.
    private let script: StubResponse
    private let sources: Sources
    package private(set) var differences: [Difference] = []
    /// The body of the mock's response; `nil` if it is not JSON or was not compared.
    private(set) var mockBody: JSONValue?
    /// The body of the real response, if it was compared with the mock's.
    private(set) var realBody: JSONValue?

    /// Compares a real response with that of the scenario.
    ///
    /// - Parameters:
    ///   - mock: The response as the mock sends it.
    ///   - script: The response of the scenario from which it is made.
    ///   - others: The other responses that the scenario may give to such a request. The state of the real server may be
    ///     another one, so a response that is like one of them is not different.
    ///   - earlier: Other bodies of this response that the mock has sent.
    ///   - ignored: Fields that are not compared, in lower case.
    package init(
        of real: HTTPResponse,
        with mock: HTTPResponse,
        of script: StubResponse,
        others: [StubResponse] = [],
        earlier: [JSONValue] = [],
        isHead: Bool = false,
        ignoring ignored: Set<String> = [],
        in sources: Sources
    ) {
        (self.script, self.sources) = (script, sources)
        guard real.status == mock.status else {
            let words = "the real status is \(real.status.code) instead of \(mock.status.code)"
            add("drift/status", words, at: sources.loaded.sources.place(of: script.statusPosition))
            return
        }
        compareFields(real, mock, ignored)
        guard !isHead else { return }
        guard let body = Self.json(real), let known = Self.json(mock) else {
            compareKinds(real, mock)
            return
        }
        (mockBody, realBody) = (known, body)
        compare(body, [known] + earlier)
        guard !differences.isEmpty else { return }
        for other in others where other.status == script.status && other.position != script.position {
            guard let alternative = alternative(other, to: known) else { continue }
            if ShapeComparison(of: body, with: [alternative]).differences.isEmpty { differences = [] }
        }
    }

    private mutating func add(_ id: String, _ words: String, at place: Place?) {
        let difference = Difference(id: id, words: words.printable, place: place)
        if !differences.contains(difference) { differences.append(difference) }
    }

    // MARK: Bodies

    private static func json(_ response: HTTPResponse) -> JSONValue? {
        let type = response.fields["Content-Type"].flatMap { MediaType(parsing: $0) }
        guard type?.isJSON ?? true, !response.body.isEmpty else { return nil }
        return (try? JSONParser(duplicateNames: .lastWins).parse(response.body))?.root
    }

    private mutating func compare(_ real: JSONValue, _ mock: [JSONValue]) {
        for difference in ShapeComparison(of: real, with: mock).differences {
            add("drift/shape", difference.words, at: sources.place(of: difference.pointer, in: script))
        }
    }

    /// Compares bodies of which one at least is not JSON.
    private mutating func compareKinds(_ real: HTTPResponse, _ mock: HTTPResponse) {
        let place = sources.loaded.sources.place(of: script.bodyMember?.value.position ?? script.position)
        if real.body.isEmpty != mock.body.isEmpty {
            let words = real.body.isEmpty ? "the real response has no body" : "the real response has a body"
            add("drift/shape", words, at: place)
        } else if Self.json(mock) != nil {
            add("drift/shape", "the body of the real response is not JSON", at: place)
        }
    }

    /// The body of another response of the scenario, with the values of this one in place of what only a request shows;
    /// `nil` for a body that is not JSON.
    private func alternative(_ other: StubResponse, to mock: JSONValue) -> JSONValue? {
        switch sources.body(of: other) {
        case .json(let value): value
        case .template(let template):
            template.filled(with: template.places().map { $0.value(in: mock) ?? .null })
        case .none, .bytes, .text, .upload: nil
        }
    }

    // MARK: Fields

    /// Fields that clients act on, in lower case.
    private static let significant: Set<String> = [
        "content-type", "location", "cache-control", "www-authenticate", "set-cookie", "retry-after", "link",
    ]

    /// Fields that servers and intermediaries set for reasons of transport, in lower case.
    private static let insignificant: Set<String> = [
        "date", "server", "content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "via",
        "vary", "etag", "last-modified", "expires", "age", "accept-ranges", "trailer",
    ]

    private mutating func compareFields(_ real: HTTPResponse, _ mock: HTTPResponse, _ ignored: Set<String>) {
        let written = Set(script.headers.map { $0.name.lowercased() }).union(["content-type"])
        // A response without a body may have a type or not.
        let isEmpty = real.body.isEmpty || mock.body.isEmpty
        let names = Self.significant.union(written).subtracting(Self.insignificant).subtracting(ignored).sorted()
        for name in names where !(name == "content-type" && isEmpty) {
            let (found, known) = (Self.parts(of: name, in: real), Self.parts(of: name, in: mock))
            guard found != known else { continue }
            let shown = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
                separator: "-"
            )
            let place = sources.loaded.sources.place(of: script.position(ofField: name) ?? script.position)
            switch (found, known) {
            case (nil, _):
                if written.contains(name) { add("drift/field", "the real response has no \(shown)", at: place) }
            // The scenario has the field for some requests.
            case (_, nil) where script.headers.contains { $0.name.lowercased() == name }: continue
            case (let found?, nil):
                let values = found.isEmpty ? "" : " (\(found.joined(separator: ", ")))"
                add("drift/field", "the real response also has \(shown)\(values)", at: place)
            case (let found?, let known?):
                let words = "\(shown) is \(Self.words(found)) instead of \(Self.words(known))"
                add("drift/field", words, at: place)
            }
        }
    }

    private static func words(_ parts: [String]) -> String { parts.isEmpty ? "empty" : parts.joined(separator: ", ") }

    /// The parts of a field that are compared; `nil` without the field.
    private static func parts(of name: String, in response: HTTPResponse) -> [String]? {
        let values = response.fields.values(of: name)
        guard !values.isEmpty else { return nil }
        let parts: [String] =
            switch name {
            case "content-type": values.map { MediaType(parsing: $0)?.essence ?? "not a media type" }
            case "cache-control": values.flatMap { $0.split(separator: ",") }.map { Self.name($0, before: "=") }
            case "www-authenticate": values.map { Self.name($0[...], before: " ") }
            case "set-cookie": values.map { $0.prefix { $0 != "=" }.trimming { $0 == " " }.description }
            default: []
            }
        return Set(parts).sorted()
    }

    private static func name(_ text: Substring, before end: Character) -> String {
        text.drop { $0 == " " }.prefix { $0 != end && $0 != "," }.lowercased()
    }
}

extension ResponseDrift {
    /// The bodies of one response that differ in their structure.
    package struct Bodies: Sendable {
        /// Those that the mock has sent.
        package private(set) var all: [JSONValue] = []
        /// Those that the real server has sent, each with its secrets.
        package private(set) var real: [DriftUpdate.RealBody] = []
        /// Responses have few structures.
        private static let most = 8

        package init() {}

        /// Adds the bodies of two responses, unless another one has the structure.
        package mutating func add(_ drift: ResponseDrift, hiding secrets: [String]) {
            if let body = drift.mockBody, Self.isNew(body, among: all) { all.append(body) }
            if let body = drift.realBody, Self.isNew(body, among: real.map(\.value)) {
                real.append(DriftUpdate.RealBody(value: body, secrets: secrets))
            }
        }

        private static func isNew(_ body: JSONValue, among known: [JSONValue]) -> Bool {
            known.count < most
                && (known.isEmpty || !ShapeComparison(of: body, with: known).differences.isEmpty)
        }
    }
}

extension StubResponse {
    /// The position of a header field or of its cookies.
    fileprivate func position(ofField name: String) -> JSONPosition? {
        let field = tree["headers"]?.object?.members.first { $0.name.lowercased() == name }
        let cookies = name == "set-cookie" ? tree.object?.member(named: "cookies") : nil
        return (field ?? cookies)?.namePosition
    }
}

extension Scenario {
    /// The responses that the scenario may give to a request for a route, in any state.
    ///
    /// - Parameter key: The key of the route; `nil` for a request that no route handles.
    package func possibleResponses(on key: String?) -> [StubResponse] {
        let guards = (earlyGuards + lateGuards).map(\.response) + [invalidRequest].compactMap(\.self)
        guard let key, let route = routes.first(where: { $0.key.text.exact == key.exact }) else {
            return guards + (unmatched?.allResponses ?? []) + (wrongMethod?.allResponses ?? [])
        }
        let refusals = tokens.kinds.filter { route.requiredKinds.contains($0.name.exact) }.flatMap(\.rejections)
        return guards + route.allResponses + (route.allRequirements.flatMap(\.rejections) + refusals).map(\.response)
    }
}
