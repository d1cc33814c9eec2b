package import Basics
import HTTPCodec
import JSON
package import OpenAPI

/// Makes a first scenario of a contract: a route for every operation, with a fixture that its schema allows.
///
/// The same contract, name and seed give the same bytes. What no contract says, such as a token's lifetime, is
/// guessed, and a `$comment` next to it says so.
package struct ScenarioDrafter: Sendable {
    private let contract: Contract
    /// The value of the scenario's `contract`.
    private let contractPath: String
    /// The value of the scenario's `$schema`, when there is such a file.
    private let schemaPath: String?
    private let answers: SampleResponses

    /// - Parameters:
    ///   - contractPath: the contract's path as the backend file names it.
    ///   - schemaPath: the path of the format's JSON Schema as the backend file names it.
    package init(_ contract: Contract, at contractPath: String, schemaPath: String? = nil, seed: UInt64 = 0) {
        self.contract = contract
        self.contractPath = contractPath
        self.schemaPath = schemaPath
        answers = SampleResponses(contract, seed: seed)
    }

    package func draft() -> ScenarioDraft {
        var findings: [Finding] = []
        let routes = draftRoutes(&findings)
        let tokens = TokenGuesses(contract, routes)
        findings += tokens.findings
        let refusals = RefusalGuesses(contract, routes, tokens, answers)
        var fixtures = DraftFixtures()
        let rules = tokens.rules(refusing: refusals, on: &fixtures)
        let written = routes.map { route in
            (route.key, json(of: route, tokens, refusals, on: &fixtures))
        }
        let backend = ScenarioDraft.File(path: "backend.json", bytes: JSONLayout.utf8(backend(rules, written)))
        return ScenarioDraft(
            files: [backend] + fixtures.files,
            routeCount: routes.count,
            tokenKinds: tokens.kinds.map(\.name),
            findings: findings
        )
    }

    private func backend(_ tokens: JSONValue?, _ routes: [(String, JSONValue)]) -> JSONValue {
        var backend: JSONObject = [:]
        if let schemaPath { backend["$schema"] = .string(schemaPath) }
        backend["$comment"] = [
            "Generated from the contract by backlot init; you can edit this file.",
            "Fixtures contain the contract's examples or, without an example, values generated from its schemas.",
        ]
        backend["backend"] = .string(contract.title.isEmpty ? "Backend" : contract.title)
        backend["contract"] = .string(contractPath)
        if let tokens { backend["tokens"] = tokens }
        backend["routes"] = .object(JSONObject(routes))
        return .object(backend)
    }

    // MARK: Routes

    private func draftRoutes(_ findings: inout [Finding]) -> [DraftedRoute] {
        let paths = RoutePaths(contract)
        var keys: Set<String> = []
        return contract.operations.compactMap { operation in
            let template: PathTemplate
            do throws(RoutePaths.Problem) {
                template = try paths.template(of: operation)
            } catch {
                findings.append(skipped(operation, error))
                return nil
            }
            guard keys.insert("\(operation.method) \(template.shape)").inserted else {
                findings.append(skipped(operation, "an earlier operation matches the same requests", nil))
                return nil
            }
            guard let answer = answers.usual(of: operation) else {
                findings.append(skipped(operation, "no response that the contract allows could be generated", nil))
                return nil
            }
            return DraftedRoute(operation: operation, key: "\(operation.method) \(template.text)", answer: answer)
        }
    }

    private func skipped(_ operation: Operation, _ problem: RoutePaths.Problem) -> Finding {
        switch problem {
        case .unsayable:
            let advice = "add \"fill\": \"examples\" to the backend file to answer its requests from the contract"
            return skipped(operation, "scenarios cannot express its path", advice)
        case .anothers: return skipped(operation, "the route would receive the requests for another operation", nil)
        }
    }

    private func skipped(_ operation: Operation, _ reason: String, _ advice: String?) -> Finding {
        var place = contract.sources.place(of: operation.position)
        place.operation = operation.label
        return Finding(
            .warning,
            id: "init/no-route",
            "the operation has no route, because \(reason)",
            at: place,
            advice: advice
        )
    }

    private func json(
        of route: DraftedRoute,
        _ tokens: TokenGuesses,
        _ refusals: RefusalGuesses,
        on fixtures: inout DraftFixtures
    ) -> JSONValue {
        var json: JSONObject = [:]
        let grants = tokens.grants(of: route)
        let comments = [tokens.comment(on: route), pathComment(of: route)].compactMap(\.self).map(JSONValue.string)
        if !comments.isEmpty { json["$comment"] = comments.count == 1 ? comments[0] : .array(comments) }
        if let requires = tokens.requirement(of: route, refusing: refusals, on: &fixtures) {
            json["requires"] = requires
        }
        if let grants { json["grants"] = grants.json }
        // A token of another server, which the stub cannot check, begins a session here.
        if grants != nil, tokens.kinds(wantedBy: route.operation).contains(where: { $0.grantedBy == nil }) {
            json["signIn"] = true
        }
        let name = DraftFixtures.name(of: route.key)
        for member in route.answer.response(named: name, showing: grants?.tokens ?? [], on: &fixtures).members {
            json.set(member)
        }
        return .object(json)
    }
}

extension ScenarioDrafter {
    private func pathComment(of route: DraftedRoute) -> String? {
        guard RoutePaths.isLoose(route.operation.path) else { return nil }
        return "This route matches more than \(route.operation.path), because a parameter matches a whole segment."
    }
}

/// A route that is being drafted, and its responses.
struct DraftedRoute: Sendable {
    var operation: Operation
    /// Method and path template, as the scenario has them.
    var key: String
    var answer: SampleResponse
}

/// The files of a new scenario, before they are written.
package struct ScenarioDraft: Sendable {
    /// A file, by its path relative to the scenario's folder.
    package struct File: Sendable {
        package var path: String
        package var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// The backend file first, then the fixtures in the order of the contract.
    package var files: [File]
    package var routeCount: Int
    /// The token kinds that were guessed, by name.
    package var tokenKinds: [String]
    /// The parts that could not be imported, each with its place in the contract.
    package var findings: [Finding]
}

extension ScenarioDraft {
    /// A folder's name for a contract's scenario: the title in lower-case letters, digits and hyphens.
    package static func folderName(for contract: Contract) -> String {
        DraftFixtures.name(of: contract.title)
    }
}

/// Lays JSON out for readers: what fits on a line stays on it.
enum JSONLayout {
    /// The longest line that is not a single long text.
    static let width = 120

    /// The text with a line break at its end.
    static func utf8(_ value: JSONValue) -> [UInt8] { layout(value).bytes }

    /// The text with a line break at its end, and how many bytes were written for lines that turned out too long.
    static func layout(_ value: JSONValue) -> (bytes: [UInt8], discarded: Int) {
        var bytes: [UInt8] = []
        var discarded = 0
        append(value, indent: 0, column: 0, staying: false, to: &bytes, &discarded)
        bytes.append(lineFeed)
        return (bytes, discarded)
    }

    private static func append(
        _ value: JSONValue,
        indent: Int,
        column: Int,
        staying: Bool = true,
        to bytes: inout [UInt8],
        _ discarded: inout Int
    ) {
        if staying {
            let start = bytes.count
            if appendLine(value, room: width - column - 1, to: &bytes) { return }
            discarded += bytes.count - start
            bytes.removeSubrange(start...)
        }
        switch value.content {
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                breakLine(number, indent + 1, &bytes)
                append(element, indent: indent + 1, column: 2 * (indent + 1), to: &bytes, &discarded)
            }
            breakLine(0, indent, &bytes)
            bytes.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (number, member) in object.members.enumerated() {
                breakLine(number, indent + 1, &bytes)
                let start = bytes.count
                JSONWriter.append(quoted: member.name, to: &bytes)
                bytes += Array(": ".utf8)
                let column = 2 * (indent + 1) + bytes.count - start
                append(member.value, indent: indent + 1, column: column, to: &bytes, &discarded)
            }
            breakLine(0, indent, &bytes)
            bytes.append(UInt8(ascii: "}"))
        default: JSONWriter().append(value, to: &bytes)
        }
    }

    /// Writes a value on one line as far as the room goes; returns whether it went far enough.
    ///
    /// Stops at the end of the room, so that laying out a document costs no more than its length times the width.
    private static func appendLine(_ value: JSONValue, room: Int, to bytes: inout [UInt8]) -> Bool {
        // Every value takes a byte, so no bracket is written after the end.
        guard room > 0 else { return false }
        let end = bytes.count + room
        if let text = value.string, text.utf8.count > room { return false }
        switch value.content {
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                if number > 0 { bytes += Array(", ".utf8) }
                guard appendLine(element, room: end - bytes.count - 1, to: &bytes) else { return false }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            bytes += Array("{ ".utf8)
            for (number, member) in object.members.enumerated() {
                if number > 0 { bytes += Array(", ".utf8) }
                JSONWriter.append(quoted: member.name, to: &bytes)
                bytes += Array(": ".utf8)
                guard appendLine(member.value, room: end - bytes.count - 2, to: &bytes) else { return false }
            }
            bytes += Array(" }".utf8)
        default: JSONWriter().append(value, to: &bytes)
        }
        return bytes.count <= end
    }

    private static func breakLine(_ number: Int, _ indent: Int, _ bytes: inout [UInt8]) {
        if number > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(lineFeed)
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * indent)
    }

    private static let lineFeed = UInt8(ascii: "\n")
}

extension UInt8 {
    /// A Boolean value that indicates whether names of a scenario may have it.
    var isNameByte: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }
}

extension Set<String> {
    /// Takes a name, with the first number from 2 behind it that makes it free where it is taken.
    mutating func take(_ name: String, numberedAfter separator: String) -> String {
        var free = name
        var number = 1
        while !insert(free).inserted {
            number += 1
            free = "\(name)\(separator)\(number)"
        }
        return free
    }
}

/// The fixtures of a draft, each under its name.
///
/// Names are made of lower-case letters, digits and hyphens, so that they are the same on every file system and never
/// lead to another folder, regardless of the paths in a contract.
struct DraftFixtures {
    static let folder = "fixtures"

    private(set) var files: [ScenarioDraft.File] = []
    private var taken: Set<String> = []
    private var lastNumbers: [String: Int] = [:]
    private var shared: [[UInt8]: String] = [:]

    /// Adds a fixture and returns its path.
    mutating func place(_ value: JSONValue, named name: String) -> String {
        place(JSONLayout.utf8(value), named: name)
    }

    /// Adds a fixture unless one with the same content has been shared before, and returns its path.
    mutating func share(_ value: JSONValue, named name: String) -> String {
        let bytes = JSONLayout.utf8(value)
        if let path = shared[bytes] { return path }
        let path = place(bytes, named: name)
        shared[bytes] = path
        return path
    }

    private mutating func place(_ bytes: [UInt8], named name: String) -> String {
        var free = name
        while !taken.insert(free).inserted {
            lastNumbers[name, default: 1] += 1
            free = "\(name)-\(lastNumbers[name, default: 2])"
        }
        let path = "\(Self.folder)/\(free).json"
        files.append(ScenarioDraft.File(path: path, bytes: bytes))
        return path
    }

    /// `GET /pets/{id}` is `get-pets-id`.
    static func name(of text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
            default: if bytes.last != hyphen, !bytes.isEmpty { bytes.append(hyphen) }
            }
            // Far from the 255 bytes that a file system allows, so that a number may follow.
            if bytes.count >= 120 { break }
        }
        while bytes.last == hyphen { bytes.removeLast() }
        return bytes.isEmpty ? "scenario" : String(decoding: bytes, as: UTF8.self)
    }

    private static let hyphen = UInt8(ascii: "-")
}
