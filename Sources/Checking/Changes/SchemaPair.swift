import Basics
import JSON
import JSONSchema

/// An earlier and a later schema, and what is proved about the values that each of them accepts.
struct SchemaPair {
    let before: SchemaView
    let after: SchemaView
    let direction: TravelDirection
    /// A Boolean value that indicates whether values are written as texts.
    let isText: Bool
    /// From the message's body to here, such as `pets[].name`.
    let path: String
    let oldRevision: ContractRevision
    let newRevision: ContractRevision
    let oldPlaces: [SchemaPlace]
    let newPlaces: [SchemaPlace]
    /// The number of comparisons that this one is a part of.
    let depth: Int
    let position: JSONPosition

    init(
        _ oldPlaces: [SchemaPlace],
        _ newPlaces: [SchemaPlace],
        _ direction: TravelDirection,
        isText: Bool,
        _ path: String,
        _ fallback: JSONPosition,
        in old: ContractRevision,
        _ new: ContractRevision,
        depth: Int
    ) {
        self.depth = depth
        before = old.view(of: oldPlaces)
        after = new.view(of: newPlaces)
        self.oldPlaces = oldPlaces
        self.newPlaces = newPlaces
        self.direction = direction
        self.isText = isText
        self.path = path
        oldRevision = old
        newRevision = new
        position = after.position ?? fallback
    }

    /// A Boolean value that indicates whether a part of a schema was left out.
    var isCutShort: Bool { before.isCutShort || after.isCutShort }

    var subject: String { path.isEmpty ? "the body" : "`\(path)`" }

    /// The view of the schema that values are sent by.
    var sender: SchemaView { direction == .request ? before : after }
    /// The view of the schema that values are read by.
    var reader: SchemaView { direction == .request ? after : before }
    var isReaderNew: Bool { direction == .request }

    /// The shift of changes that break no client.
    var safeShift: ValueShift { isReaderNew ? .widens : .narrows }

    /// A Boolean value that indicates whether the sender's schema is proved to have no value.
    var hasNoSentValue: Bool {
        guard direction == .request || direction == .response, !sender.places.isEmpty,
            sender.places.allSatisfy({ $0.decided.isEmpty && !sender.revision.program.hasErrors($0.id) })
        else { return false }
        return SchemaSampler.contradiction(
            of: sender.places.map(\.id),
            in: sender.revision.program,
            going: direction == .request ? .request : .response
        ) != nil
    }

    /// Returns whether a change from one schema to another is proved to break no client.
    func isSafe(_ old: [SchemaPlace], _ new: [SchemaPlace]) -> Bool {
        SchemaComparison.isSafe(old, in: oldRevision, new, in: newRevision, direction, depth: depth)
    }

    /// Returns whether the newer one of two schemas is proved to accept no value that the older one refuses.
    func narrows(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool {
        SchemaComparison.isSafe([old], in: oldRevision, [new], in: newRevision, .subset, depth: depth)
    }

    /// Returns whether the older one of two schemas is proved to accept no value that the newer one refuses.
    func widens(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool {
        SchemaComparison.isSafe([new], in: newRevision, [old], in: oldRevision, .subset, depth: depth)
    }

    // MARK: Properties

    /// The occurrence of a property in messages of this direction.
    enum Presence {
        case possible
        /// The other side makes it.
        case elsewhere
        case refused
    }

    func presence(_ places: [SchemaPlace], in revision: ContractRevision) -> Presence {
        let view = revision.view(of: places)
        return isElsewhere(view) ? .elsewhere : view.isImpossible ? .refused : .possible
    }

    /// Returns whether the other side makes it, so that it is not in messages of this direction.
    func isElsewhere(_ view: SchemaView) -> Bool {
        direction == .request && view.isReadOnly || direction == .response && view.isWriteOnly
    }

    func travels(_ places: [SchemaPlace], in revision: ContractRevision) -> Bool {
        presence(places, in: revision) != .elsewhere
    }

    /// Returns whether a property of the sender's schema may be in messages of this direction.
    func isSent(_ name: ExactText) -> Bool {
        sender.properties[name].map { travels($0, in: sender.revision) } ?? true
    }

    /// The description of a property that is not in messages of this direction.
    var elsewhere: String { direction == .request ? "read-only" : "write-only" }

    /// The shift when a property is removed from a schema.
    func shiftOfRemoval(of name: ExactText) -> ValueShift {
        let isRefused =
            after.properties[name].map { newRevision.view(of: $0).isImpossible }
            ?? (after.schemasOfOther(name) == nil)
        return switch direction {
        case .response where before.required[name] != nil: .widens
        case .response: .widensSlightly
        case .subset: isRefused ? .narrows : .widens
        // The schema of the names that match applies, and the property need not be sent any more.
        case .request where !isRefused && after.hasPattern(for: name): .widens
        // The server may or may not reject values that it no longer documents.
        case .request, .unclear: isRefused ? .narrows : .unknown
        }
    }

    /// The way to a property.
    func way(_ name: ExactText) -> String { path.isEmpty ? name.text : "\(path).\(name.text)" }

    /// The way to the properties that an expression matches.
    func way(matching expression: ExactText) -> String { "\(path).<\(expression.text)>" }
}
