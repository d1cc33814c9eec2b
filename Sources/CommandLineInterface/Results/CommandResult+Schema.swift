package import JSON

extension CommandResult {
    /// The JSON Schema of a command's result: of the document, or of each line of a stream.
    package static func schema(of command: CommandDescription) -> JSONValue {
        let integer: JSONValue = ["type": "integer", "minimum": 0]
        let text: JSONValue = ["type": "string"]
        let finding: JSONValue = [
            "type": "object",
            "required": ["severity", "id", "message"],
            "properties": [
                "severity": ["enum": ["note", "warning", "error"]],
                "id": ["type": "string", "description": "The kind of the finding, which backlot explain explains."],
                "message": text,
                "rule": ["type": "string", "pattern": "^B[1-9][0-9]*$"],
                "subject": ["type": "string", "description": "The story, operation or file that was checked."],
                "file": text,
                "line": integer,
                "column": integer,
                "pointer": ["type": "string", "description": "A JSON Pointer (RFC 6901)."],
                "operation": text,
                "exchanges": ["type": "array", "items": integer, "description": "The numbers in the journal."],
                "advice": text,
            ],
            "additionalProperties": false,
        ]
        var properties: JSONObject = [
            "schemaVersion": ["const": .number(JSONNumber(schemaVersion))],
            "command": ["type": "string", "description": "The command without the program's name."],
            "outcome": ["enum": ["passed", "failed", "error", "interrupted", "running"]],
            "exitCode": ["enum": .array(ExitCode.all.map { .number(JSONNumber(Int($0.code.rawValue))) })],
            "findings": ["type": "array", "items": finding],
            "next": ["type": "array", "items": text, "description": "The commands that make sense next."],
            "text": ["type": "string", "description": "The printed text, if there are no members of the command."],
            "omittedFindings": [
                "type": "integer", "minimum": 1, "description": "The number of findings that only --detail prints.",
            ],
        ]
        for member in command.result.members { properties[member.name] = member.value }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string("The result of backlot \(command.name) --json"),
            "type": "object",
            "required": ["schemaVersion", "command", "outcome", "findings", "next"],
            "properties": .object(properties),
            "additionalProperties": .bool(command.isResultOpen),
        ]
    }
}
