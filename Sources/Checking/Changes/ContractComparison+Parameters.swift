import Basics
import JSON
import JSONSchema
import OpenAPI

/// Parameters of requests, and headers of responses.
extension ContractComparison {
    mutating func compareParameters(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        // The parameters of the path are known by their place in it.
        let names = Dictionary(
            zip(PathNames(before.path).names, PathNames(after.path).names).map { ($0.exact, $1) },
            uniquingKeysWith: { first, _ in first }
        )
        var rest = after.parameters.filter { !$0.isDescribedElsewhere }
        for parameter in before.parameters where !parameter.isDescribedElsewhere {
            let name = parameter.location == .path ? names[parameter.name.exact] ?? parameter.name : parameter.name
            let number = rest.firstIndex { other in
                guard other.location == parameter.location else { return false }
                return other.location == .header
                    ? other.name.lowercased() == name.lowercased() : other.name.exact == name.exact
            }
            let subject = "the \(parameter.location.rawValue) parameter `\(parameter.name)`"
            guard let number else {
                let effect: ChangeEffect = parameter.isRequired && requests == .response ? .breaks : .depends
                tell("parameter-removed", "\(subject) was removed", effect, at: after.position, old: parameter.position)
                continue
            }
            compare(parameter, rest.remove(at: number), requests, subject, part: parameter.location.rawValue)
        }
        for parameter in rest {
            let sentence =
                "the \(parameter.location.rawValue) parameter `\(parameter.name)` is new"
                + (parameter.isRequired ? " and required" : "")
            let effect: ChangeEffect = parameter.isRequired && requests == .request ? .breaks : .safe
            tell("parameter-added", sentence, effect, at: parameter.position, old: before.position)
        }
    }

    /// Compares parameters, or headers of responses.
    mutating func compare(
        _ before: Parameter,
        _ after: Parameter,
        _ direction: TravelDirection,
        _ subject: String,
        part: String
    ) {
        let positions = (new: after.position, old: before.position)
        compareNeed(before.isRequired, after.isRequired, direction, subject, at: positions)
        let (oldView, newView) = (old.view(of: before.valueSchema), new.view(of: after.valueSchema))
        let kinds = oldView.kinds.union(newView.kinds)
        let isContent = (before: before.content != nil, after: after.content != nil)
        let isOtherwise =
            if isContent.before != isContent.after {
                // Numbers and truth values are the same texts as JSON.
                !kinds.isSubset(of: [.number, .boolean])
            } else {
                !isContent.after && before.layout(of: kinds) != after.layout(of: kinds)
            }
        if isOtherwise {
            let sentence = "\(subject) is serialized differently"
            tell("style", sentence, .breaks, at: after.position, old: before.position)
        }
        if before.allowsEmptyValue != after.allowsEmptyValue, direction == .request {
            let (text, effect): (String, ChangeEffect) =
                after.allowsEmptyValue ? ("may", .safe) : ("may no longer", .breaks)
            tell("empty", "\(subject) \(text) be empty", effect, at: after.position, old: before.position)
        }
        // Numbers and truth values contain no reserved character.
        if after.location == .query, before.allowsReserved != after.allowsReserved,
            !kinds.isSubset(of: [.number, .boolean, .null])
        {
            tellReserved(subject, isAllowed: after.allowsReserved, direction, at: positions)
        }
        if !isContent.before || !isContent.after {
            // The sentence names the parameter instead of its value.
            compare(
                before.valueSchema,
                after.valueSchema,
                direction,
                part,
                named: after.name,
                isText: !isContent.before && !isContent.after,
                at: after.position
            )
        } else {
            let (old, new) = ([before.content].compactMap(\.self), [after.content].compactMap(\.self))
            compare(old, new, direction, subject, at: positions)
        }
    }

    /// Reports that `allowReserved` has changed: whether characters such as `/` may be sent without percent-encoding.
    mutating func tellReserved(
        _ subject: String,
        isAllowed: Bool,
        _ direction: TravelDirection,
        at positions: (new: JSONPosition, old: JSONPosition)
    ) {
        let change = isAllowed ? "may" : "may no longer"
        let sentence = "\(subject) \(change) contain reserved characters without percent-encoding"
        // A receiver decodes encoded characters in either case.
        let effect: ChangeEffect = isAllowed == (direction == .request) ? .safe : .depends
        tell("style", sentence, effect, at: positions.new, old: positions.old)
    }

    /// Compares whether a part of a message is required.
    mutating func compareNeed(
        _ before: Bool,
        _ after: Bool,
        _ direction: TravelDirection,
        _ subject: String,
        at positions: (new: JSONPosition, old: JSONPosition)
    ) {
        guard before != after else { return }
        let shift: ValueShift = after ? .narrows : .widens
        let sentence = "\(subject) is \(after ? "" : "no longer ")required"
        tell("required", sentence, shift.effect(direction), at: positions.new, old: positions.old)
    }
}

extension Parameter {
    /// The schema of its value, whichever way it is written.
    fileprivate var valueSchema: SchemaReference? { schema ?? content?.schema }

    /// The choices that decide on the text of a value of some kinds.
    fileprivate func layout(of kinds: ValueKinds) -> [String] {
        let isObject = kinds.contains(.object)
        let isNested = isObject || kinds.contains(.array)
        // Even a single value is written with something before it.
        let isMarked = style == .label || style == .matrix
        // The elements of an array have commas between them in either case.
        let isExploded = explode && (isObject || isNested && style != .simple)
        return [isNested || isMarked ? style.rawValue : "", "\(isExploded)"]
    }
}

extension ContractRevision {
    /// The meaning of a schema.
    func view(of reference: SchemaReference?) -> SchemaView {
        view(of: [reference.flatMap(place)].compactMap(\.self))
    }
}
