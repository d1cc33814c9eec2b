import JSON
import JSONSchema

/// A schema's sentences as a contract says them: the validator speaks of "the value" and "the schema", for it knows
/// neither where the value travels nor who wants it.
enum ContractWording {
    /// - Parameter subject: what the value is: `the body`, `the query parameter "limit"`.
    static func sentence(of violation: SchemaViolation, about subject: String) -> String {
        let sentence = speakingOfContract(violation.sentence)
        let value = "the value "
        guard violation.instance.isRoot, sentence.utf8.starts(with: value.utf8) else { return sentence }
        return subject + " " + sentence.dropFirst(value.count)
    }

    /// The same for a value that people do not take for the message: what lies inside of it is said to.
    static func sentence(of violation: SchemaViolation, inside subject: String) -> String {
        let sentence = sentence(of: violation, about: subject)
        return sentence.utf8.starts(with: subject.utf8) ? sentence : "in \(subject), \(sentence)"
    }

    /// Leaves alone what is quoted, because those are the user's words.
    private static func speakingOfContract(_ sentence: String) -> String {
        let wanted = Array("the schema".utf8)
        let bytes = Array(sentence.utf8)
        var result: [UInt8] = []
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            if !isQuoted, bytes[index...].starts(with: wanted) {
                result += Array("the contract".utf8)
                index += wanted.count
                continue
            }
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            result.append(bytes[index])
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}
