import Basics
package import JSON

/// The explanation of a rule, a finding, an object or key of the format, or an exit code.
package struct Explanation: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case rule
        case finding
        case object
        case key
        case exitCode = "exit code"
    }

    package var id: String
    package var kind: Kind
    /// The meaning, as a sentence without a closing full stop.
    package var meaning: String
    /// The effect on users, as a sentence without a closing full stop.
    package var reason: String?
    /// A general fix, as a sentence without a closing full stop.
    package var fix: String?
    /// Further facts, such as the default of a key, by their names.
    package var facts: [(name: String, text: String)] = []
    /// The standard or the documentation that it comes from.
    package var source: String
    /// The stories that play it.
    package var stories: [Story] = []
    /// The command that tries it.
    package var command: String

    /// A story in the project.
    package struct Story: Sendable, Hashable {
        package var id: String
        package var title: String
        package var file: String
    }
}

extension Explanation {
    /// The explanation as a document, whose outline is the text for people.
    package var json: JSONValue {
        var object: JSONObject = ["id": .string(id), "kind": .string(kind.rawValue), "meaning": .string(meaning)]
        object["reason"] = reason.map(JSONValue.string)
        object["fix"] = fix.map(JSONValue.string)
        if !facts.isEmpty {
            object["facts"] = .object(JSONObject(facts.map { ($0.name, JSONValue.string($0.text)) }))
        }
        object["source"] = .string(source)
        if !stories.isEmpty {
            object["stories"] = .array(
                stories.map { ["id": .string($0.id), "title": .string($0.title), "file": .string($0.file)] }
            )
        }
        object["try"] = .string(command)
        return .object(object)
    }
}

extension Explanation {
    /// The schemas of the members that explanations add to a command's result.
    package static let result: JSONObject = [
        "explanations": [
            "type": "array",
            "items": [
                "type": "object",
                "required": ["id", "kind", "meaning", "source", "try"],
                "properties": [
                    "id": ["type": "string"],
                    "kind": ["enum": .array(Kind.allCases.map { .string($0.rawValue) })],
                    "meaning": ["type": "string"], "reason": ["type": "string"], "fix": ["type": "string"],
                    "facts": ["type": "object", "additionalProperties": ["type": "string"]],
                    "source": ["type": "string"],
                    "stories": [
                        "type": "array",
                        "items": ["type": "object", "required": ["id", "title", "file"]],
                    ],
                    "try": ["type": "string", "description": "The command that tries it."],
                ],
                "additionalProperties": false,
            ],
        ]
    ]
}
