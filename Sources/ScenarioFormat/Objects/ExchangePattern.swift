import Basics
import JSON

/// A pattern that selects exchanges of the journal.
package struct ExchangePattern: Sendable {
    package var route = ""
    /// The other server that was asked; `nil` for the backend itself.
    package var origin: String?
    /// The launch of the client in which it was asked; `nil` for any.
    package var launch: Int?
    package var statuses: [Int] = []
    package var tokens: [(kind: String, standings: [TokenStanding])] = []
    package var device: String?
    package var condition = Condition.all([])

    /// A Boolean value that indicates whether it asks for nothing but a route and statuses.
    package var isPlain: Bool { launch == nil && device == nil && tokens.isEmpty && condition.isEmpty }
}

extension Condition {
    fileprivate var isEmpty: Bool {
        if case .all(let conditions) = self { conditions.allSatisfy(\.isEmpty) } else { false }
    }

    /// The conditions that must all hold.
    fileprivate var parts: [Condition] {
        get { if case .all(let parts) = self { parts } else { [self] } }
        set { self = .all(newValue) }
    }
}

extension ExchangePattern: ModelObject {
    static let keys = Keys("requestPattern", "a request pattern", "a pattern that matches exchanges") {
        Key("request", \.route, .text(.route), "The route of the requests.").required
        Key("status", \.statuses, .statuses, "The matching status codes.").otherwise("any").example([401, 419])
        Key(
            "token",
            ValueType<[(kind: String, standings: [TokenStanding])]>.map(
                names: .name,
                of: ValueType<[TokenStanding]>.tokenStates.shape
            ) { member, builder in
                builder.expect(member.name, of: .tokenKind, at: member.namePosition)
                builder.expectForeignStates(of: member.name, in: member.value)
                return builder.read(member.value, as: .tokenStates).map { (member.name, $0) }
            },
            "The matching states of the request's tokens, by kind."
        ) { $0.tokens = $1 }
        .example(["access": "expired"])
        Key("device", \.device, .mentionedDevice, "The device that sent the request.")
            .otherwise("any").example("phone")
        Key("origin", \.origin, .text(.name), "The origin to which the request was sent.")
            .otherwise("the backend").example("images")
        Key(
            "launch",
            \.launch,
            ValueType<Int>.of(.integer(1...1_000)) { launch, tree, builder in
                builder.expectLaunch(launch, at: tree.position)
                return launch
            },
            "The client launch that sent the request."
        )
        .otherwise("any").example(2)
        Condition.each("header", .fieldName, "Header fields in the request, by name.", RequestPart.header)
            .example(["Authorization": ["exists": false]]).inside(\.condition.parts)
        Condition.each("query", .any, "Query items in the request, by name.", RequestPart.query)
            .example(["page": "2"]).inside(\.condition.parts)
        Condition.each("form", .any, "Fields of the form-urlencoded body, by name.", RequestPart.form)
            .example(["grant_type": "refresh_token"]).inside(\.condition.parts)
        Condition.each("cookie", .token, "Cookies in the request, by name.", RequestPart.cookie)
            .example(["sid": "7"]).inside(\.condition.parts)
        Condition.body("Values in the JSON body, by JSON Pointer.").example(["/text": "Hi"])
            .inside(\.condition.parts)
    }

    func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        if let request = tree["request"], request.string != nil {
            builder.expectRoute(of: self, tree, at: request.position)
        }
    }
}

extension ScenarioBuilder {
    /// Reports an unknown origin, and a route that it or the backend does not have.
    fileprivate mutating func expectRoute(of pattern: ExchangePattern, _ tree: JSONValue, at position: JSONPosition) {
        guard let name = pattern.origin, let written = tree["origin"] else {
            expect(pattern.route, of: .route, at: position)
            return
        }
        guard expect(name, of: .origin, at: written.position) else { return }
        expect(
            pattern.route,
            among: root["origins"]?[name]?["routes"].memberNames ?? [],
            as: "route",
            at: position,
            message: "the origin \"\(name.shortened)\" does not define the route \"\(pattern.route.shortened)\""
        )
    }

    /// Reports a launch that the timeline does not contain.
    fileprivate mutating func expectLaunch(_ launch: Int, at position: JSONPosition) {
        guard launch > lastLaunch else { return }
        report(
            "scenario/unknown-launch",
            lastLaunch == 1
                ? "launch \(launch) does not exist, because the timeline starts the client only once"
                : "launch \(lastLaunch) is the timeline's last launch; launch \(launch) does not exist",
            at: position,
            advice: "add {\"launch\": \(lastLaunch + 1)} to \"timeline\", with its time"
        )
    }
}

extension ValueType<String> {
    /// A device of the story, which signs in somewhere.
    static var mentionedDevice: Self {
        .of(.text(.filled)) { name, tree, builder in
            builder.noted.mentionedDevices.append((name, tree.position))
            return name
        }
    }
}

extension ValueType<[Int]> {
    static var statuses: Self { oneOrMore(.integer(100...999)).shared("statuses") }
}
