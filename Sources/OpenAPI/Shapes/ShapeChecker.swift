import Basics
import JSON

/// Walks a contract's files along their shape and finds everything that is wrong with it, not only the first thing.
///
/// What lies in other files, or beside the usual places, is looked at when something refers to it.
struct ShapeChecker {
    var library: DocumentLibrary
    var survey = ContractSurvey()
    let version: OpenAPIVersion
    /// Where the walk is.
    var document = 0
    var path: [String] = []
    /// Places that something referred to and the walk has not come by.
    private var waiting: [(node: ContractNode, shape: Shape)] = []
    private var visited: Set<ContractNode.Key> = []

    init(library: DocumentLibrary, version: OpenAPIVersion) {
        self.library = library
        self.version = version
    }

    mutating func checkAll() {
        check(library.documents[0].root, against: .object(.openAPI))
        // In the order in which they were met, so that findings keep the order of the files.
        var number = 0
        while number < waiting.count {
            let (node, shape) = waiting[number]
            number += 1
            document = node.document
            path = node.pointer.tokens
            check(node.value, against: shape)
        }
    }

    /// Takes note of a place that must be looked at, unless the walk comes by anyway.
    mutating func visit(_ node: ContractNode, _ shape: Shape) {
        let tokens = node.pointer.tokens
        let isOnTheWay =
            node.document == 0 && tokens.count >= 3
            && (tokens[0] == "paths" || tokens[0] == "components" && ObjectShape.components[tokens[1]] != nil)
        guard !isOnTheWay, visited.insert(node.key).inserted else { return }
        waiting.append((node, shape))
    }

    /// Goes one step down for a while.
    mutating func under(_ name: String, _ body: (inout ShapeChecker) -> Void) {
        path.append(name)
        body(&self)
        path.removeLast()
    }

    mutating func check(_ value: JSONValue, against shape: Shape) {
        switch (shape, value.content) {
        case (.anything, _), (.text, .string), (.boolean, .bool): break
        case (.schema, .object), (.schema, .bool): checkSchema(value)
        case (.oneOf(let words), .string(let text)):
            guard !words.containsExactly(text) else { return }
            wrongWord(text, value, words)
        case (.list(let element), .array(let values)):
            for (index, value) in values.enumerated() { under("\(index)") { $0.check(value, against: element) } }
            if case .reference(.parameter) = element { checkParameters(values) }
        case (.map(let element, let names), .object(let object)):
            checkMap(object, of: value, against: element, names)
        case (.object(let name), .object(let object)):
            check(object, of: value, as: name)
        case (.reference(let name), .object(let object)):
            if let reference = object.member(named: "$ref") {
                check(reference, in: object, to: name)
            } else {
                check(object, of: value, as: name)
            }
        case (.security, .object(let object)):
            checkSecurity(object)
        default: mismatch(value, shape)
        }
    }

    private mutating func checkMap(_ object: JSONObject, of value: JSONValue, against shape: Shape, _ names: NameForm) {
        for member in object.members {
            let mayBeExtended = names == .path || names == .status || names == .expression
            if mayBeExtended && member.name.isExtensionName { continue }
            guard checkName(member, names) else { continue }
            under(member.name) { $0.check(member.value, against: shape) }
        }
        if names == .status, !object.members.contains(where: { DocumentedResponse.Status(key: $0.name) != nil }) {
            let isEmpty = !object.members.contains { !$0.name.isExtensionName }
            guard isEmpty else { return }
            report(.error, "contract/missing-response", "an operation needs at least one response", at: value.position)
        }
    }

    private mutating func check(_ object: JSONObject, of value: JSONValue, as name: ObjectShape.Name) {
        let shape = name.shape
        var slips: Set<String> = []
        for member in object.members where !member.name.isExtensionName {
            guard let key = shape[member.name] else {
                if let others = shape.others {
                    guard checkName(member, shape.otherNames) else { continue }
                    under(member.name) { $0.check(member.value, against: others) }
                } else {
                    slips.formUnion(unknownKey(member, of: shape, in: name, besides: object))
                }
                continue
            }
            if key.since > version {
                report(
                    .warning,
                    "contract/unknown-key",
                    "\"\(key.name)\" in \(name.article) is new in OpenAPI \(key.since.rawValue);"
                        + " this document is \(version.rawValue)",
                    at: member.namePosition,
                    below: member.name
                )
            }
            under(member.name) { $0.check(member.value, against: key.shape) }
        }
        for key in shape.keys where key.isRequired && !object.contains(key.name) && !slips.contains(key.name) {
            missing(key, in: name, of: value)
        }
        for group in shape.exclusive {
            let rivals = object.members.filter { group.containsExactly($0.name) }
            guard rivals.count > 1 else { continue }
            report(
                .error,
                "contract/rival-keys",
                "\"\(rivals[0].name)\" and \"\(rivals[1].name)\" exclude each other in \(name.article); keep one",
                at: rivals[1].namePosition,
                below: rivals[1].name
            )
        }
        checkTogether(object, of: value, as: name, slips: slips)
        if name == .pathItem, let reference = object.member(named: "$ref") { check(reference, in: object, to: name) }
    }
}
