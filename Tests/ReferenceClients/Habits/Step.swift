import HTTPCodec
import JSON
import ScenarioFormat

extension Habit {
    /// What happens at once: several calls, or something else.
    struct Step: Sendable {
        var items: [Item]
        /// Whether it follows without the time that a user takes to look at the screen.
        var isAtOnce: Bool
    }

    /// One of the things that happen at once.
    struct Item: Sendable {
        /// How much later than the step.
        var delay: Duration
        var action: Action
        var leaving: Leaving?
        /// The status with which a call has to end; a success when `nil`.
        var status: Int?
        /// Whether it may come to nothing: there is no response, or nobody is signed in.
        var mayFail = false
    }

    /// When the user leaves a screen before it has loaded.
    enum Leaving: Sendable {
        /// So long after the request was sent; its connection is given up, too.
        case after(Duration)
        /// While the tokens are renewed, because the request was refused.
        case duringRefresh
    }

    enum Action: Sendable {
        case call(Request)
        case upload(String)
        case signIn(String)
        case signOut
        /// New tokens are wanted although nothing was refused.
        case refresh
        /// Time passes on the session's clock.
        case wait(Duration)
        /// Time passes for client and server alike.
        case pause(Duration)
        case launch(StoreFault?)
        /// Something that the server does by itself.
        case event(Event.Action)
    }
}

extension Habit.Step {
    /// Reads a script: `;` between steps between which the user looks at the screen, `>` before one that follows at
    /// once, `&` between what happens at once, as in `GET /me & 20ms GET /notes left > POST /notes hello =201`.
    static func all(in script: Substring) throws(Habit.Problem) -> [Habit.Step] {
        var steps: [Habit.Step] = []
        for part in script.split(separator: ";") {
            for (index, words) in part.split(separator: ">").enumerated() {
                var items: [Habit.Item] = []
                for item in words.split(separator: "&") {
                    // The same call several times at once.
                    var words = item.split(separator: " ")
                    let copies = words.last?.first == "×" ? Int(words.removeLast().dropFirst()) ?? 1 : 1
                    items += Array(repeating: try Habit.Item(words, in: script), count: copies)
                }
                steps.append(Habit.Step(items: items, isAtOnce: index > 0))
            }
        }
        return steps
    }
}

extension Habit.Item {
    init(_ words: [Substring], in script: Substring) throws(Habit.Problem) {
        var words = words
        delay = words.first.flatMap { DurationText.parse(String($0)) } ?? .zero
        if delay > .zero { words.removeFirst() }
        while let last = words.last, words.count > 1 {
            if last == "left" {
                leaving = .duringRefresh
            } else if last.hasPrefix("left:"), let time = DurationText.parse(String(last.dropFirst(5))) {
                leaving = .after(time)
            } else if last == "=none" {
                mayFail = true
            } else if last.hasPrefix("="), let status = Int(last.dropFirst()) {
                self.status = status
            } else {
                break
            }
            words.removeLast()
        }
        let rest = words.dropFirst().joined(separator: " ")
        switch words.first {
        case "GET", "HEAD", "DELETE", "POST", "PUT", "PATCH":
            guard words.count > 1 else { throw Habit.Problem(description: "no path: \(script)") }
            let text = words.dropFirst(2).joined(separator: " ")
            action = .call(.calling(String(words[0]), String(words[1]), text.isEmpty ? nil : text))
        case "picture": action = .call(Request(origin: "pictures", http: .init(target: "/pictures/\(rest)")))
        case "query": action = .call(.operation("query", rest))
        case "mutation": action = .call(.operation("mutation", rest))
        case "upload": action = .upload(rest)
        case "in": action = .signIn(rest)
        case "out": action = .signOut
        case "refresh": action = .refresh
        case "launch": action = .launch(StoreFault(rawValue: rest))
        case "expire": action = .event(.expire(.kind("access"), .every))
        case "revoke": action = .event(.revoke(rest.isEmpty ? .kind("access") : .kind(rest), .every))
        case "wait", "pause":
            guard let time = DurationText.parse(rest) else { throw Habit.Problem(description: "no time: \(script)") }
            action = words[0] == "wait" ? .wait(time) : .pause(time)
        default: throw Habit.Problem(description: "no action \"\(words.joined(separator: " "))\": \(script)")
        }
    }
}

extension Request {
    /// A request with a JSON body that has one text, or with none.
    fileprivate static func calling(_ method: String, _ target: String, _ text: String?) -> Request {
        guard let text else { return Request(http: .init(method: HTTPMethod(rawValue: method), target: target)) }
        return Request(http: .init(method: HTTPMethod(rawValue: method), target: target, json: ["text": .string(text)]))
    }

    /// An operation of a GraphQL API: `Me`, or `Save 1` with a variable.
    fileprivate static func operation(_ kind: String, _ words: String) -> Request {
        let words = words.split(separator: " ").map(String.init)
        let name = words.first ?? ""
        return Request(
            http: .init(
                method: .post,
                target: "/graphql",
                json: [
                    "operationName": .string(name), "query": .string("\(kind) \(name) { \(name) { id } }"),
                    "variables": words.count > 1 ? ["id": .string(words[1])] : [:],
                ]
            )
        )
    }
}

extension HTTPRequest {
    /// A request with a JSON body.
    init(method: HTTPMethod, target: String, json: JSONValue) {
        self.init(
            method: method,
            target: target,
            fields: ["Content-Type": "application/json"],
            body: Array(json.text(.compact).utf8)
        )
    }
}
