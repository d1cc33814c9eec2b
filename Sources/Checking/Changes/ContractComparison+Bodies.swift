import Basics
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// Request bodies, and the media types of all bodies.
extension ContractComparison {
    mutating func compareBodies(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        switch (before.requestBody, after.requestBody) {
        case (nil, nil): return
        case (nil, let body?):
            let sentence = body.isRequired ? "a required body was added" : "a body was added"
            let effect: ChangeEffect = body.isRequired && requests == .request ? .breaks : .safe
            tell("body-added", sentence, effect, at: body.position, old: before.position)
        case (let body?, nil):
            let effect: ChangeEffect = requests == .request ? .depends : .breaks
            tell("body-removed", "the body was removed", effect, at: after.position, old: body.position)
        case (let one?, let other?):
            let positions = (new: other.position, old: one.position)
            compareNeed(one.isRequired, other.isRequired, requests, "the body", at: positions)
            compare(one.content, other.content, requests, "request", at: positions)
        }
    }

    /// Compares what a body may be; what is gone breaks a client in either direction.
    mutating func compare(
        _ before: [MediaTypeContent],
        _ after: [MediaTypeContent],
        _ direction: TravelDirection,
        _ part: String,
        at positions: (new: JSONPosition, old: JSONPosition)
    ) {
        for content in before {
            let current = after.counterparts(of: content, isSender: direction == .request)
            if current.isEmpty {
                let sentence = "\(part): `\(content.mediaType)` was removed"
                tell("media-type-removed", sentence, .breaks, at: positions.new, old: content.position)
            } else if let other = current.first, !content.isSameType(as: other) {
                let types = current.map { "`\($0.mediaType)`" }.joined(lastBy: "and")
                let sentence = "\(part): \(types) \(current.count == 1 ? "replaces" : "replace") `\(content.mediaType)`"
                tell("media-type", sentence, .safe, at: other.position, old: content.position)
            }
            for other in current {
                compare(content.schema, other.schema, direction, part, at: other.position)
                compareEncodings(content, other, direction, part)
            }
        }
        for content in after where before.counterparts(of: content, isSender: direction == .response).isEmpty {
            // If there was a choice, the client names the media types that it accepts, but not those of a request that the
            // server sends. A client ignores a body that is new.
            let isRead = requests == .response && direction == requests && !before.isEmpty
            let sentence = "\(part): `\(content.mediaType)` is new"
            tell("media-type-added", sentence, isRead ? .breaks : .safe, at: content.position, old: positions.old)
        }
    }

    /// Compares how the properties of a form, or the parts of a multipart body, are written.
    private mutating func compareEncodings(
        _ before: MediaTypeContent,
        _ after: MediaTypeContent,
        _ direction: TravelDirection,
        _ part: String
    ) {
        let names = Set(before.encoding.map(\.name)).union(after.encoding.map(\.name)).sorted()
        for name in names {
            let old = before.encoding.first { $0.name == name }?.encoding
            let new = after.encoding.first { $0.name == name }?.encoding
            let isForm = after.mediaType.lowercased().hasPrefix("application/x-www-form-urlencoded")
            let isList = [self.old.view(of: before.schema), self.new.view(of: after.schema)].contains {
                $0.mayBeList(name.exact)
            }
            if isForm, isList, old.form != new.form {
                let sentence = "\(part): `\(name)` is serialized differently"
                tell("style", sentence, .breaks, at: after.position, old: before.position)
            }
            if isForm, old?.allowsReserved ?? false != new?.allowsReserved ?? false {
                let positions = (new: after.position, old: before.position)
                tellReserved("\(part): `\(name)`", isAllowed: new?.allowsReserved ?? false, direction, at: positions)
            }
            let (known, current) = (old.mediaTypes, new.mediaTypes)
            guard known != current else { continue }
            let isNarrower = known.map { list in current?.isSubset(of: list) ?? false } ?? true
            let isWider = current.map { list in known?.isSubset(of: list) ?? false } ?? true
            let shift: ValueShift = isNarrower ? .narrows : isWider ? .widens : .both
            let sentence = "\(part): the media types of `\(name)` have changed"
            tell("encoding", sentence, shift.effect(direction), at: after.position, old: before.position)
        }
    }
}

extension Encoding? {
    /// The serialization of a property of a form (OpenAPI 3.1, section 4.8.15.1).
    fileprivate var form: [String] {
        let style = self?.style ?? .form
        return [style.rawValue, "\(self?.explode ?? (style == .form))"]
    }

    /// The media types that a part may have; `nil` where nothing is said.
    fileprivate var mediaTypes: Set<String>? {
        self?.contentType.map { list in
            Set(list.split(separator: ",").map { MediaType(parsing: String($0))?.normalized ?? String($0) })
        }
    }
}

extension MediaType {
    /// The type as text, with its parameters in order.
    ///
    /// UTF-8 is what a receiver expects without a charset, and JSON has no other (RFC 8259, sections 8.1 and 11).
    fileprivate var normalized: String {
        let telling = parameters.filter { $0.name != "charset" || !isJSON && $0.value.lowercased() != "utf-8" }
        let values = telling.map { "\($0.name)=\($0.name == "charset" ? $0.value.lowercased() : $0.value)" }
        return ([essence] + values.sorted()).joined(separator: ";")
    }
}

extension [MediaTypeContent] {
    /// Those that a body of another revision's media type is compared with: the same one, or else the range that it lies
    /// in, or else, seen from the receiver, the types that lie in it.
    fileprivate func counterparts(of content: MediaTypeContent, isSender: Bool) -> [MediaTypeContent] {
        guard let type = MediaType(parsing: content.mediaType) else {
            return filter { $0.mediaType.lowercased() == content.mediaType.lowercased() }
        }
        let types = compactMap { other in MediaType(parsing: other.mediaType).map { (content: other, type: $0) } }
        let same = types.filter { $0.type.normalized == type.normalized }
        if !same.isEmpty { return same.map(\.content) }
        guard isSender else { return types.filter { $0.type.lies(in: type) && type.isRange }.map(\.content) }
        // The narrowest range is the one that counts (RFC 9110, section 12.5.1).
        let ranges = types.filter { $0.type.isRange && type.lies(in: $0.type) }
        return (ranges.first { $0.type.type != "*" } ?? ranges.first).map { [$0.content] } ?? []
    }
}

extension MediaTypeContent {
    fileprivate func isSameType(as other: MediaTypeContent) -> Bool {
        MediaType(parsing: mediaType)?.normalized == MediaType(parsing: other.mediaType)?.normalized
    }
}

extension SchemaView {
    /// Returns whether a property may be an array or an object, as far as is known.
    fileprivate func mayBeList(_ name: ExactText) -> Bool {
        guard let schemas = properties[name] else { return true }
        return !revision.view(of: schemas).kinds.isDisjoint(with: [.array, .object])
    }
}
