import Basics
import JSON
import JSONSchema
import OpenAPI

/// Compares the operations of two revisions of a contract: servers, security, parameters, bodies and responses.
///
/// The requests of webhooks and callbacks come from the server, so what breaks a client in them is what does in responses.
struct ContractComparison {
    let old: ContractRevision
    let new: ContractRevision
    private var schemas: SchemaComparison
    /// The uses of each schema: the operation's label and the part of the message.
    private var uses: [(operation: String, part: String, subject: ContractChange.Subject)] = []
    private var changes: [ContractChange] = []
    /// The part that is compared.
    var subject = ContractChange.Subject.contract
    /// The path at the end of the servers' addresses that the paths of the other revision begin with, such as `/v1`.
    private var moved = (old: "", new: "")
    /// The label of the operation that is compared; `nil` between two of them.
    private var label: String?
    /// The way that the requests of the compared operations travel, as the client sees it.
    private(set) var requests = TravelDirection.request
    var responses: TravelDirection { requests == .request ? .response : .request }

    init(_ old: ContractRevision, _ new: ContractRevision) {
        self.old = old
        self.new = new
        schemas = SchemaComparison(old, new)
    }

    /// Every change, sorted by its place.
    static func changes(from old: ContractRevision, to new: ContractRevision) -> [ContractChange] {
        // A view contains its revision, and so the proofs that contain the view.
        defer { for revision in [old, new] { revision.proofs.views = [:] } }
        var comparison = ContractComparison(old, new)
        comparison.compareServers()
        comparison.compareOperations()
        comparison.compareAsides()
        return comparison.finished()
    }

    private mutating func finished() -> [ContractChange] {
        for (change, numbers) in schemas.changes() {
            guard let first = numbers.first.map({ uses[$0] }) else { continue }
            var change = change
            let others = Set(numbers.map { uses[$0].operation }).count - 1
            let more = others > 0 ? " (and in \(others) other \(others == 1 ? "operation" : "operations"))" : ""
            change.sentence = "\(first.part): \(change.sentence)\(more)"
            change.place.operation = first.operation
            change.operations = Set(numbers.map { uses[$0].operation })
            change.subject = numbers.map { uses[$0].subject }.min() ?? .contract
            changes.append(change)
        }
        if schemas.isCutShort {
            tell("too-large", "the schemas are too large to be compared completely", .undecided, at: nil, old: nil)
        }
        let start = TextPosition(line: 0, column: 0)
        return changes.enumerated()
            .sorted { left, right in
                let (one, other) = (left.element.place, right.element.place)
                return (one.file ?? "", one.position ?? start, left.offset)
                    < (other.file ?? "", other.position ?? start, right.offset)
            }
            .map(\.element)
    }

    mutating func tell(
        _ id: String,
        _ sentence: String,
        _ effect: ChangeEffect,
        in operation: String? = nil,
        at position: JSONPosition?,
        old oldPosition: JSONPosition?
    ) {
        let operation = operation ?? label
        var place = position.map(new.place) ?? Place(file: new.name(new.contract.path))
        place.operation = operation
        changes.append(
            ContractChange(
                id: "changes/" + id,
                sentence: sentence,
                effect: effect,
                place: place,
                old: oldPosition.map(old.place),
                operations: Set([operation].compactMap(\.self)),
                subject: subject
            )
        )
    }

    /// Compares the servers of the contract itself.
    private mutating func compareServers() {
        let pointer = JSONPointer(tokens: ["servers"])
        let (before, after) = (old.contract.value(at: pointer), new.contract.value(at: pointer))
        let (known, current) = (ServerAddresses(before), ServerAddresses(after))
        if let prefix = known.suffix(of: current) {
            moved = (old: "", new: prefix)
        } else if let prefix = current.suffix(of: known) {
            moved = (old: prefix, new: "")
        } else {
            return compareServers(before, after, at: nil, old: nil)
        }
        let unmoved = Set(old.contract.operations.map { OperationKey($0) })
        let (countUnmoved, countMoved) = (
            new.contract.operations.count { unmoved.contains(OperationKey($0)) },
            Set(old.contract.operations.map { key(of: $0, in: old, under: moved.old) })
                .intersection(new.contract.operations.map { key(of: $0, in: new, under: moved.new) }).count
        )
        guard countMoved <= countUnmoved else { return }
        moved = ("", "")
        compareServers(before, after, at: nil, old: nil)
    }

    /// The operation's identity, with the part of its path that has moved between the servers' addresses and the paths.
    private func key(
        of operation: OpenAPI.Operation,
        in revision: ContractRevision,
        under prefix: String
    ) -> OperationKey {
        guard !prefix.isEmpty, revision.ownServers(of: operation) == nil else { return OperationKey(operation) }
        return OperationKey(operation, under: prefix)
    }

    /// Compares where operations are, with every value that a server's variables may have.
    private mutating func compareServers(
        _ before: JSONValue?,
        _ after: JSONValue?,
        at position: JSONPosition?,
        old oldPosition: JSONPosition?
    ) {
        let (known, current) = (ServerAddresses(before), ServerAddresses(after))
        for (address, key, place) in known.all where !current.contains(key) {
            // Without servers a client may have found the contract anywhere (OpenAPI 3.1, section 4.8.1).
            let effect: ChangeEffect = known.areListed ? .breaks : .depends
            let sentence = "the server \"\(address)\" was removed"
            tell("server-removed", sentence, effect, at: after?.position ?? position, old: place ?? oldPosition)
        }
        for (address, key, place) in current.all where !known.contains(key) {
            tell("server-added", "the server \"\(address)\" is new", .safe, at: place ?? position, old: nil)
        }
    }

    private mutating func compareOperations() {
        var before: [OperationKey: OpenAPI.Operation] = [:]
        for operation in old.contract.operations { before[key(of: operation, in: old, under: moved.old)] = operation }
        var met: Set<OperationKey> = []
        for operation in new.contract.operations {
            let key = key(of: operation, in: new, under: moved.new)
            met.insert(key)
            if let earlier = before[key] {
                compare(earlier, operation)
            } else {
                tell("operation-added", "\(operation.label) is new", .safe, at: operation.position, old: nil)
            }
        }
        let paths = new.contract.value(at: JSONPointer(tokens: ["paths"]))
        for operation in old.contract.operations where !met.contains(key(of: operation, in: old, under: moved.old)) {
            let position = (paths?[operation.path] ?? paths)?.position
            tell(
                "operation-removed",
                "\(operation.label) was removed",
                .breaks,
                in: operation.label,
                at: position,
                old: operation.position
            )
        }
    }

    /// Compares webhooks and callbacks.
    ///
    /// Callbacks of several operations may have the same name: those at the same place
    /// belong together, and then those in the same order.
    private mutating func compareAsides() {
        requests = .response
        defer { requests = .request }
        var rest = old.contract.requestsOfServer
        var added: [OpenAPI.Operation] = []
        var pairs: [(before: OpenAPI.Operation, after: OpenAPI.Operation)] = []
        for isExact in [true, false] {
            let waiting = isExact ? new.contract.requestsOfServer : added
            added = []
            for operation in waiting {
                let number = rest.firstIndex { earlier in
                    OperationKey(earlier) == OperationKey(operation)
                        && (!isExact || earlier.uri.afterHash.exact == operation.uri.afterHash.exact)
                }
                if let number { pairs.append((rest.remove(at: number), operation)) } else { added.append(operation) }
            }
        }
        for pair in pairs { compare(pair.before, pair.after) }
        for operation in added {
            tell("operation-added", "\(operation.label) is new", .safe, at: operation.position, old: nil)
        }
        for operation in rest {
            tell("operation-removed", "\(operation.label) was removed", .breaks, at: nil, old: operation.position)
        }
    }

    private mutating func compare(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        label = after.label
        defer { label = nil }
        if !before.isDeprecated, after.isDeprecated {
            tell("deprecated", "the operation is deprecated", .safe, at: after.position, old: before.position)
        }
        if let name = before.operationID, name != after.operationID {
            let text = after.operationID.map { "is \"\($0)\"" } ?? "was removed"
            let sentence = "the operationId \(text); it was \"\(name)\""
            // Generated clients name their functions by it.
            tell("operation-id", sentence, .depends, at: after.position, old: before.position)
        }
        let servers = (old: old.ownServers(of: before), new: new.ownServers(of: after))
        if requests == .request, servers.old != nil || servers.new != nil {
            let pointer = JSONPointer(tokens: ["servers"])
            compareServers(
                servers.old ?? old.contract.value(at: pointer),
                servers.new ?? new.contract.value(at: pointer),
                at: after.position,
                old: before.position
            )
        }
        subject = .request
        compareSecurity(before, after)
        compareParameters(before, after)
        compareBodies(before, after)
        subject = .response
        compareResponses(before, after)
        subject = .contract
    }

    /// - Parameter isText: whether values are written as texts, as in a query.
    mutating func compare(
        _ before: SchemaReference?,
        _ after: SchemaReference?,
        _ direction: TravelDirection,
        _ part: String,
        named name: String = "",
        isText: Bool = false,
        at position: JSONPosition
    ) {
        uses.append((label ?? "", part, subject))
        schemas.compare(before, after, direction, named: name, isText: isText, use: uses.count - 1, at: position)
    }
}

extension Contract {
    /// The operations of webhooks and callbacks.
    ///
    /// A path item among the components is compared where it is used.
    fileprivate var requestsOfServer: [OpenAPI.Operation] {
        asides.filter { $0.path.hasPrefix("webhook ") || $0.path.hasPrefix("callback ") }
    }
}

extension String {
    /// The fragment of a URI.
    fileprivate var afterHash: String {
        String(Substring(utf8.drop { $0 != UInt8(ascii: "#") }))
    }
}

extension ContractRevision {
    /// The servers of an operation or of its path item, which replace those of the contract.
    fileprivate func ownServers(of operation: OpenAPI.Operation) -> JSONValue? {
        let registry = contract.schemas.registry
        guard let (value, uri) = registry.resolve(operation.uri, against: operation.uri) else { return nil }
        if let own = value["servers"] { return own }
        guard let slash = uri.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return registry.resolve(String(uri[..<slash]), against: uri)?.value["servers"]
    }
}
