import JSON

/// What is wrong with a value, as data; the words are in ``Complaint/sentence(about:at:)``.
enum Complaint {
    case notAllowed
    case wrongType(KindSet)
    case wrongValue([JSONValue])
    case limit(String, JSONNumber)
    case format(String)
    case pattern(String)
    case length(Int, least: Bool, limit: Int)
    case elementCount(Int, least: Bool, limit: Int)
    case equalElements(Int, Int)
    case contained(Int, least: Bool, limit: Int)
    case propertyCount(Int, least: Bool, limit: Int)
    case missing(String)
    case missingBeside(String, because: String)
    case unknownProperty(isClosed: Bool)
    case leftOverElement
    case badName(String)
    case ruledOut
    case fitsNone
    case fitsSeveral(Int)
    case causes
}

extension Complaint {
    /// What was found and what is wanted, without a closing full stop.
    func sentence(about value: JSONValue, at path: InstancePath) -> String {
        let name = path.name
        let found = "\(name) is \(Wording.shown(value)), but the schema wants"
        switch self {
        case .notAllowed: return "\(name) is not allowed by the schema"
        case .wrongType(let kinds): return "\(found) \(Wording.types(kinds))"
        case .wrongValue(let values): return "\(found) \(Wording.choice(values))"
        case .limit(let words, let limit): return "\(found) \(words) \(limit.text)"
        case .format(let format): return "\(found) \(Wording.format(format))"
        case .pattern(let source): return "\(found) a text that matches \(Wording.shown(.string(source)))"
        case .length(let count, let least, let limit):
            return
                "\(name) has \(Wording.count(count, "character")), but the schema wants \(Wording.bound(least, limit))"
        case .elementCount(let count, let least, let limit):
            return "\(name) has \(Wording.count(count, "element")), but the schema wants \(Wording.bound(least, limit))"
        case .equalElements(let first, let second):
            return "the elements \(first) and \(second) of \(name) are equal, but the schema wants each once"
        case .contained(let count, let least, let limit):
            return "\(name) has \(Wording.count(count, "element")) of the kind that it has to contain,"
                + " but the schema wants \(Wording.bound(least, limit))"
        case .propertyCount(let count, let least, let limit):
            return
                "\(name) has \(Wording.count(count, "property")), but the schema wants \(Wording.bound(least, limit))"
        case .missing(let property): return "\(path.name(of: property)) is missing, but the schema requires it"
        case .missingBeside(let property, let other):
            return "\(path.name(of: property)) is missing, but the schema requires it beside \(path.name(of: other))"
        case .unknownProperty(let isClosed):
            return isClosed
                ? "\(name) is not a property that the schema allows"
                : "\(name) is a property that no part of the schema allows"
        case .leftOverElement: return "\(name) is one element more than the schema allows"
        case .badName(let property):
            return "\(Wording.shown(.string(property))) is not a name that the schema allows in \(name)"
        case .ruledOut: return "\(name) is \(Wording.shown(value)), which the schema rules out"
        case .fitsNone: return "\(name) fits none of the alternatives that the schema offers"
        case .fitsSeveral(let count):
            return "\(name) fits \(count) alternatives of the schema, but has to fit exactly one"
        case .causes: return "\(name) does not obey this part of the schema"
        }
    }
}
