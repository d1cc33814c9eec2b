import Basics
import JSON

extension Contract {
    /// Paths that take the same requests, and parameters that do not agree with their path.
    func pathFindings() -> [Finding] {
        collisions() + operations.flatMap(parameterFindings)
    }

    private func collisions() -> [Finding] {
        var findings: [Finding] = []
        var seen: [[UInt8]: JSONObject.Member] = [:]
        for member in documents[0].root["paths"]?.object?.members ?? [] where member.name.utf8.first == 0x2F {
            let shape = OperationIndex.patterns(of: member.name).flatMap { (segment) -> [UInt8] in
                [0x2F] + segment.shape
            }
            guard let first = seen[shape] else {
                seen[shape] = member
                continue
            }
            findings.append(
                Finding(
                    .error,
                    id: "contract/path-collision",
                    "\"\(member.name.shortened)\" takes the same requests as \"\(first.name.shortened)\" on line"
                        .printable + " \(first.namePosition.line)",
                    at: place(of: member.namePosition),
                    advice: "keep one of them, and move the other's operations there"
                )
            )
        }
        return findings
    }

    private func parameterFindings(_ operation: Operation) -> [Finding] {
        let declared = operation.parameters.filter { $0.location == .path }
        let names = OperationIndex.patterns(of: operation.path).flatMap(\.parameterNames)
        var findings: [Finding] = []
        for name in names where !declared.map(\.name).containsExactly(name) {
            let meant = Suggestion.nearest(to: name, among: declared.map(\.name).filter { !names.containsExactly($0) })
            findings.append(
                Finding(
                    .error,
                    id: "contract/undeclared-path-parameter",
                    "no parameter describes \"{\(name.shortened)}\" of the path".printable,
                    at: place(of: operation.position, operation: operation.label),
                    advice: meant.map { "is it the parameter \"\($0)\"?".printable }
                )
            )
        }
        for parameter in declared where !names.containsExactly(parameter.name) {
            findings.append(
                Finding(
                    .error,
                    id: "contract/unused-path-parameter",
                    "the path \"\(operation.path.shortened)\" has no \"{\(parameter.name.shortened)}\"".printable,
                    at: place(of: parameter.position, operation: operation.label),
                    advice: Suggestion.nearest(to: parameter.name, among: names)
                        .map { "did you mean \"\($0)\"?".printable }
                )
            )
        }
        return findings
    }

    /// Names of operations that several have.
    func operationIDFindings() -> [Finding] {
        var findings: [Finding] = []
        var seen: [[UInt8]: Operation] = [:]
        for operation in operations {
            guard let id = operation.operationID else { continue }
            guard let first = seen[Array(id.utf8)] else {
                seen[Array(id.utf8)] = operation
                continue
            }
            // A path item that two paths refer to has its operations once.
            guard first.position != operation.position else { continue }
            let position = value(of: "operationId", in: operation)?.position ?? operation.position
            findings.append(
                Finding(
                    .error,
                    id: "contract/duplicate-operation-id",
                    "\"\(id.shortened)\" is the id of \(first.label.shortened) already".printable,
                    at: place(of: position, operation: operation.label)
                )
            )
        }
        return findings
    }

    /// A member of an operation's object, as the file has it.
    func value(of name: String, in operation: Operation) -> JSONValue? {
        let number = Int(operation.position.document)
        guard documents.indices.contains(number) else { return nil }
        return documents[number].pointer(to: operation.position).value(in: documents[number].root)?[name]
    }
}
