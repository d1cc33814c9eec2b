import JSON

/// What a twin of kiwIT can read.
indirect enum KiwITShape: Sendable {
    case integer
    case text
    case truth
    /// One of these words; any other as well, unless the twin is strict about it.
    case word([String], isStrict: Bool)
    case nullable(KiwITShape)
    case list(KiwITShape)
    /// Members that must be there, and members that need not.
    case object([String: KiwITShape], optional: [String: KiwITShape] = [:])

    /// Where a value is something else; `nil` when it can be read.
    func fault(in value: JSONValue, at path: String = "") -> String? {
        switch self {
        case .integer: value.int == nil ? path : nil
        case .text: value.string == nil ? path : nil
        case .truth: value.bool == nil ? path : nil
        case .word(let words, let isStrict):
            if let word = value.string, !isStrict || words.contains(word) { nil } else { path }
        case .nullable(let shape): value.isNull ? nil : shape.fault(in: value, at: path)
        case .list(let shape):
            if let elements = value.array {
                elements.indices.lazy.compactMap { shape.fault(in: elements[$0], at: "\(path)/\($0)") }.first
            } else {
                path
            }
        case .object(let members, let optional): fault(in: value.object, members, optional, at: path)
        }
    }

    private func fault(
        in object: JSONObject?,
        _ members: [String: KiwITShape],
        _ optional: [String: KiwITShape],
        at path: String
    ) -> String? {
        guard let object else { return path }
        for (name, shape) in members.merging(optional, uniquingKeysWith: { first, _ in first }) {
            let isMissing = object[name].map { shape.fault(in: $0, at: "\(path)/\(name)") != nil }
            guard isMissing ?? (optional[name] == nil) else { continue }
            return "\(path)/\(name)"
        }
        return nil
    }

    /// The same, with more members.
    func adding(_ more: [String: KiwITShape]) -> KiwITShape {
        guard case .object(let members, let optional) = self else { return self }
        return .object(members.merging(more) { $1 }, optional: optional)
    }

    /// The same, with more members that need not be there.
    func allowing(_ more: [String: KiwITShape]) -> KiwITShape {
        guard case .object(let members, let optional) = self else { return self }
        return .object(members, optional: optional.merging(more) { $1 })
    }
}
